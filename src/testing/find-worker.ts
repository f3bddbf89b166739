// Which SharedWorker is the page's server, when the test does not say.

import { IntabError } from '../errors.js'
import type { AgentLink } from './agent-link.js'
import { SharedWorkers } from './shared-workers.js'

const advice =
  'Check that the page connects to its worker: the console of the page may say why not. A server in a dedicated ' +
  'Worker, or in the page itself, cannot be reached. In a test, call connectToPage (or use the mcp fixture) before ' +
  'page.goto, or give `worker: { url, name }`; for intab bridge, --worker names the script'

/**
 * Resolves when it is known where the page's server is: the agent saw the app make it, or the browser lists exactly
 * one of the page's origin, which was made before the agent came. Rejects with `worker_failed`.
 */
export async function findWorker(agent: AgentLink, timeout: number): Promise<void> {
  const deadline = new AbortController()
  const timer = setTimeout(() => deadline.abort(), timeout)
  try {
    if (agent.workers.length === 0) await findListed(agent)
    await agent.until(() => agent.workers.length > 0, deadline.signal)
  } catch (error) {
    if (!deadline.signal.aborted) throw error
    const message = `${agent.page.url()} created no SharedWorker within ${timeout} ms, so there is no server. ${advice}`
    throw new IntabError('worker_failed', message, undefined, { cause: error })
  } finally {
    clearTimeout(timer)
  }
}

async function findListed(agent: AgentLink): Promise<void> {
  const workers = await SharedWorkers.ofPage(agent.page)
  const listed = (await workers?.list(agent.page)) ?? []
  // The browser may list a worker before the report of the agent that saw it made, and knows more, is here.
  await agent.heard()
  if (agent.workers.length > 0) return
  if (listed.length > 1) {
    const found = listed.map(({ url, name }) => `${name || '(no name)'} at ${url}`).join(', ')
    throw new IntabError('worker_failed', `The page may use several SharedWorkers: ${found}. ${advice}`)
  }
  // The browser does not tell the options: a bundler's worker is a module, and its lifetime is tried out.
  for (const { url, name } of listed) agent.workers.push({ url, name, type: 'module' })
}
