/// <reference types="vite/client" />

import { serve } from 'intab/worker'
import { confirmDelete } from '../tools/confirm-delete.js'
import { countdown } from '../tools/countdown.js'
import { failOnPurpose } from '../tools/fail-on-purpose.js'
import { openSource } from '../tools/open-source.js'
import { profileCsv } from '../tools/profile-csv.js'
import { writeHaiku } from '../tools/write-haiku.js'
import { removeNote } from './notes.js'
import { plainMethods } from './plain-methods.js'
// oxlint-disable-next-line import/no-absolute-path -- how the bundler names what lies in public/: https://vite.dev/guide/assets.html#the-public-directory
import penguins from '/penguins.csv?url'

async function readPenguins(): Promise<string> {
  const response = await fetch(new URL(penguins, self.location.href))
  if (!response.ok) throw new Error(`penguins.csv cannot be read: ${response.status}`)
  return response.text()
}

/** Serves the tools of the board. */
export function serveBoard(): void {
  serve({
    name: 'intab-board',
    version: '1.0.0',
    tools: [profileCsv(readPenguins), confirmDelete(removeNote), writeHaiku, countdown, openSource, failOnPurpose],
    setup: plainMethods
  })
}
