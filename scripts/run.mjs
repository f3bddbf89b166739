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
 * @returns {Promise<number>} its exit code; 1 if a signal ended it
 */
export function run(command, args, env = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd: root, stdio: 'inherit', env: { ...process.env, ...env } })
    child.on('error', reject)
    child.on('exit', (code) => resolve(code ?? 1))
  })
}

/**
 * Runs a program that a dependency brought.
 * @param {string} name as in node_modules/.bin
 * @param {string[]} args
 * @param {NodeJS.ProcessEnv} [env]
 */
export function runTool(name, args, env) {
  const suffix = process.platform === 'win32' ? '.cmd' : ''
  return run(join(root, 'node_modules', '.bin', name + suffix), args, env)
}
