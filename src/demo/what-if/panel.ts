// The panel that lets things go wrong.

import { showError } from '../alerts.js'
import { byId } from '../dom.js'
import { accidentCard } from './accident.js'
import { cutNetwork } from './cut-network.js'
import { fillStorage } from './fill-storage.js'
import { showStorageUse } from './storage-use.js'
import { survey } from './survey.js'
import { dropConnection, killWorker, type Scene, startSecond } from './worker-accidents.js'

const restBetween = 1000

export class WhatIf {
  readonly #scene: Scene
  #isWaiting = false

  constructor(scene: Scene) {
    this.#scene = scene
    const { client } = scene.connection
    const accidents = [
      killWorker(scene),
      dropConnection(scene),
      startSecond(scene),
      fillStorage(client, (text) => confirm(text)),
      cutNetwork()
    ]
    byId('accidents').append(...accidents.map(accidentCard))
    byId('what-if').addEventListener('toggle', () => this.refresh())
  }

  /** Brings the counts up to date, soon: at most once a second, and only while they are on the screen. */
  refresh(): void {
    const { connection } = this.#scene
    if (this.#isWaiting || !(byId('what-if') as HTMLDetailsElement).open) return
    this.#isWaiting = true
    setTimeout(() => {
      this.#isWaiting = false
      if (connection.state !== 'connected') return
      survey(connection.client).then(showStorageUse).catch(showError)
    }, restBetween)
  }
}
