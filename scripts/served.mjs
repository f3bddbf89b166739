// Starts an npm script that serves an app, and ends it with everything that it started.
import { spawn } from 'node:child_process'
import { createServer } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'

/** @returns {Promise<number>} */
export async function freePort() {
  const server = createServer()
  await new Promise((resolve) => server.listen(0, () => resolve(undefined)))
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  if (address === null || typeof address === 'string') throw new Error('No free port')
  return address.port
}

/**
 * Resolves once the app answers; rejects with what the script wrote if it ends before.
 * @param {string} cwd
 * @param {string} script of its package.json
 * @param {number} port
 * @param {string[]} [args]
 * @returns {Promise<{ url: string, close: () => Promise<void> }>}
 */
export async function serveScript(cwd, script, port, args = []) {
  // A process group of its own: npm does not pass a signal on to the script.
  const child = spawn('npm', ['run', '--silent', script, '--', ...args], {
    cwd,
    detached: true,
    env: { ...process.env, PORT: String(port) },
    stdio: ['ignore', 'pipe', 'pipe']
  })
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (chunk) => (said += chunk))
  const ended = new Promise((resolve) => child.once('exit', resolve))
  // Either is set as it ends: its own code, or the signal that ended it.
  const runs = () => child.exitCode === null && child.signalCode === null
  const url = `http://localhost:${port}/`
  while (runs()) {
    const answer = await fetch(url).catch(() => undefined)
    if (answer?.ok)
      return {
        url,
        async close() {
          if (runs() && child.pid !== undefined) process.kill(-child.pid)
          await ended
        }
      }
    await pause(100)
  }
  throw new Error(`npm run ${script} ended with ${child.signalCode ?? `exit code ${child.exitCode}`}:\n${said}`)
}
