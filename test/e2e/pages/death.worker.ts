import '../../../src/demo/jitless.js'
import { serve, taskTool } from 'intab/worker'
import { confirmDelete } from '../../support/confirm-delete.js'
import { writeHaiku } from '../../support/write-haiku.js'
import { channelOf, parseName, type Sign } from './death-channel.js'

const { database, at } = parseName(self.name)
const channel = channelOf(database)
const tell = (sign: Sign): void => channel.postMessage(sign)

const research = taskTool(
  'research',
  { inputSchema: {}, taskSupport: 'required', onInterrupt: 'resume', maxAttempts: 5 },
  async (_, task) => {
    const first = await task.step('first', () => {
      tell({ step: 'first' })
      return 'first'
    })
    task.progress({ progress: 1, total: 3 })
    const { content } = await task.elicit({
      message: 'who?',
      requestedSchema: { type: 'object', properties: { name: { type: 'string' } } }
    })
    await task.status('asked')
    await task.notify({ method: 'notifications/message', params: { level: 'info', data: 'half' } })
    await task.sleep(1)
    await task.step('second', () => tell({ step: 'second' }))
    return { content: [{ type: 'text', text: `${first} ${JSON.stringify(content?.name)}` }] }
  }
)

let points = 0
let dying = false
serve({
  name: 'death',
  version: '0.0.0',
  database,
  tools: [confirmDelete, writeHaiku, research],
  checkpoint(point) {
    const stopped = points++ === at
    dying ||= stopped
    tell({ point, stopped })
    return dying ? new Promise(() => undefined) : undefined
  }
})
