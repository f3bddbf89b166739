// Runs other programs for these scripts; needs nothing but Node.
import { spawn } from 'node:child_process'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = dirname(dirname(fileURLToPath(import.meta.url)))

/**
 * Runs a program in the project's folder, with this process's terminal.
 * @param {string} command
 * @param {string[]} args
 * @param {NodeJS.ProcessEnv} [env] what to change in the environment; an undefined value removes
 * @param {number} [minutes] after which it is killed, with all that it started, and the promise rejects
 * @returns {Promise<number>} its exit code; 1 if a signal ended it
 */
export function run(command, args, env = {}, minutes) {
  return new Promise((resolve, reject) => {
    // A group of its own can be killed as a whole.
    const detached = minutes !== undefined && process.platform !== 'win32'
    const child = spawn(command, args, { cwd: root, stdio: 'inherit', env: { ...process.env, ...env }, detached })
    const kill = () => (detached && child.pid ? process.kill(-child.pid, 'SIGKILL') : child.kill('SIGKILL'))
    const late = () => {
      reject(new Error(`${[command, ...args].join(' ')} took longer than ${minutes} minutes and was ended`))
      kill()
    }
    const timer = minutes === undefined ? undefined : setTimeout(late, minutes * 60_000)
    child.on('error', (error) => {
      clearTimeout(timer)
      reject(error)
    })
    child.on('exit', (code) => {
      clearTimeout(timer)
      resolve(code ?? 1)
    })
  })
}

/**
 * Runs a program that a dependency brought.
 * @param {string} name as in node_modules/.bin
 * @param {string[]} args
 * @param {NodeJS.ProcessEnv} [env]
 * @param {number} [minutes] as of `run`
 */
export function runTool(name, args, env, minutes) {
  const suffix = process.platform === 'win32' ? '.cmd' : ''
  return run(join(root, 'node_modules', '.bin', name + suffix), args, env, minutes)
}
