import '../../../src/demo/jitless.js'
import { serve } from 'intab/worker'
import { confirmDelete } from '../../support/confirm-delete.js'
import { counter } from '../../support/kill-walk.js'
import { research } from '../../support/research.js'
import { writeHaiku } from '../../support/write-haiku.js'
import { channelOf, parseName, type Sign } from './death-channel.js'

const { database, at } = parseName(self.name)
const channel = channelOf(database)
const tell = (sign: Sign): void => channel.postMessage(sign)

const numbered = counter()
let dying = false
serve({
  name: 'death',
  version: '0.0.0',
  database,
  tools: [confirmDelete, writeHaiku, research((step) => tell({ step }))],
  checkpoint(point) {
    const stopped = numbered(point) === at
    dying ||= stopped
    tell({ point, stopped })
    return dying ? new Promise(() => undefined) : undefined
  }
})
