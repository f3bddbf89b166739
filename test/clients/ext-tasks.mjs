// The client of the tasks extension, in both revisions.
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { post, revision } from './context.mjs'

export const name = '@modelcontextprotocol/ext-tasks 0.2.2'
export const packages = { '@modelcontextprotocol/ext-tasks': '0.2.2', '@modelcontextprotocol/client': '2.4.0' }

const capabilities = { elicitation: { form: {} } }
const clientInfo = { name: 'ext', version: '1.0.0' }

/** @param {import('./context.mjs').Context} context */
export async function run({ url, modules, passed }) {
  const load = (/** @type {string} */ path) => import(pathToFileURL(join(modules, '@modelcontextprotocol', path)).href)
  const { Client, StreamableHTTPClientTransport } = await load('client/dist/index.mjs')
  const { createApplicationInputHandler, createTaskSessionFromClient, resultFromTaskOutcome } = await load(
    'ext-tasks/dist/client/index.js'
  )

  /** @param {object} options of the Client @param {(asked: string[]) => object} more options of the session @param {string} version */
  async function settles(options, more, version) {
    const client = new Client(clientInfo, { capabilities, ...options })
    const asked = /** @type {string[]} */ ([])
    client.setRequestHandler('elicitation/create', (/** @type {{ params: { message: string } }} */ { params }) => {
      asked.push(params.message)
      return { action: 'accept', content: { confirm: true } }
    })
    await client.connect(new StreamableHTTPClientTransport(new URL(url)))
    assert.equal(client.getNegotiatedProtocolVersion(), version)
    const session = createTaskSessionFromClient(client, { endpointId: 'intab', ...more(asked) })
    const execution = await session.callTool('confirm_delete', { filename: 'ext.txt' })
    const { outcome } = await execution.settle()
    assert.deepEqual(resultFromTaskOutcome(outcome).content, [{ type: 'text', text: 'Deleted ext.txt' }])
    assert.deepEqual(asked, ['Delete ext.txt?'])
    await session.close()
    await client.close()
    passed(`${version}: a task that asks, to its result`)
  }

  await settles({}, () => ({}), '2025-11-25')

  let id = 0
  const rawDispatch = async (
    /** @type {{ method: string, params: object }} */ request,
    /** @type {{ signal?: AbortSignal }} */ { signal } = {}
  ) => {
    id += 1
    const response = await post(url, { ...request, id: `raw-${id}` }, signal)
    return { ...response, kind: 'result' in response ? 'result' : 'error' }
  }
  const unexpected = () => assert.fail('Not asked for')
  const inTasks = (/** @type {string[]} */ asked) => ({
    rawDispatch,
    v2RequestFraming: { protocolVersion: revision, clientInfo, clientCapabilities: capabilities },
    onInputRequest: createApplicationInputHandler({
      elicitation(/** @type {{ params: { message: string } }} */ { params }) {
        asked.push(params.message)
        return { action: 'accept', content: { confirm: true } }
      },
      sampling: unexpected,
      roots: unexpected
    })
  })
  await settles({ versionNegotiation: { mode: { pin: revision } } }, inTasks, revision)
}
