// Installs what package-lock.json asks for, if it is not there. Needs nothing but Node, so that a fresh clone can start.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root, run } from './run.mjs'

/**
 * @param {string} file
 * @returns {Record<string, { version?: string, optional?: boolean, devOptional?: boolean }> | undefined}
 */
function packagesOf(file) {
  try {
    return JSON.parse(readFileSync(join(root, file), 'utf8')).packages
  } catch {
    // Missing or cut short: nothing can be said to be installed.
    return undefined
  }
}

/** True if node_modules holds every package of package-lock.json in its version; npm writes its own list last. */
export function isInstalled() {
  const wanted = packagesOf('package-lock.json') ?? {}
  const found = packagesOf('node_modules/.package-lock.json')
  if (!found) return false
  return Object.entries(wanted).every(
    ([path, { version, optional, devOptional }]) =>
      path === '' || found[path]?.version === version || (!found[path] && (optional ?? devOptional))
  )
}

/** Runs `npm ci` if node_modules is missing or stale; throws if that fails. */
export async function ensureInstalled() {
  if (isInstalled()) return
  console.log('Installing dependencies (npm ci) …')
  // Flags given to the outer npm reach the inner one through the environment, and would rule there as well.
  const flags = [
    'omit',
    'include',
    'only',
    'production',
    'global',
    'dry_run',
    'package_lock',
    'ignore_scripts',
    'loglevel'
  ]
  const env = Object.fromEntries(flags.map((flag) => [`npm_config_${flag}`, undefined]))
  const npm = process.env['npm_execpath']
  const [command, ...args] = npm?.endsWith('npm-cli.js') ? [process.execPath, npm] : ['npm']
  const code = await run(command, [...args, 'ci', '--include=dev'], { ...env, NODE_ENV: undefined })
  if (code !== 0) throw new Error(`npm ci failed with exit code ${code}: see above`)
}
