// Programs of others, run against the bridge: they are installed apart, since they are large and need a newer Node.
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { root, run, runTool } from './run.mjs'

const cache = join(root, 'node_modules', '.cache', 'intab')

/**
 * Installs packages in a folder of their own, once.
 * @param {string} name of the folder
 * @param {Record<string, string>} dependencies exact versions
 * @returns {Promise<string>} its node_modules
 */
export async function install(name, dependencies) {
  const folder = join(cache, name)
  const file = join(folder, 'package.json')
  const manifest = JSON.stringify({ private: true, dependencies }, null, 2)
  const modules = join(folder, 'node_modules')
  const done = join(modules, '.package-lock.json')
  if (existsSync(done) && (await readFile(file, 'utf8').catch(() => '')) === manifest) return modules
  console.log(`Installing ${Object.keys(dependencies).join(', ')} …`)
  await mkdir(folder, { recursive: true })
  await writeFile(file, manifest)
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm'
  const args = ['install', '--prefix', folder, '--no-audit', '--no-fund', '--no-package-lock', '--loglevel=error']
  const code = await run(npm, args, {}, 10)
  if (code !== 0) throw new Error(`npm install failed with exit code ${code}: see above`)
  return modules
}

/** A Node that has fs.globSync, which the conformance suite needs: this one, or one from npm. */
export async function modernNode() {
  if (Number(process.versions.node.split('.')[0]) >= 22) return process.execPath
  const modules = await install('node', { node: '22.23.3' })
  return join(modules, '.bin', process.platform === 'win32' ? 'node.cmd' : 'node')
}

/**
 * Builds a page and serves it.
 * @param {string} configFile of vite, from the root
 * @param {string} [path] of the page
 */
export async function servePage(configFile, path = '') {
  const { build, preview } = await import('vite')
  await build({ configFile: join(root, configFile), logLevel: 'warn' })
  const server = await preview({ configFile: join(root, configFile), preview: { port: 0 } })
  const url = server.resolvedUrls?.local[0]
  if (!url) throw new Error('The preview server has no URL')
  return { url: `${url}${path}`, close: () => server.close() }
}

/**
 * Builds the package and starts `intab bridge` as its users do.
 * @param {string} page
 */
export async function startBridge(page) {
  const { ensureBrowser } = await import('./browser.mjs')
  const browser = await ensureBrowser()
  if ((await runTool('tsc', ['-p', 'tsconfig.build.json'])) !== 0) throw new Error('The package does not compile')
  const cli = join(root, 'dist', 'bridge', 'cli.js')
  const child = spawn(process.execPath, [cli, 'bridge', page, '--port', '0', '--browser', browser], {
    stdio: ['ignore', 'ignore', 'pipe']
  })
  const ended = new Promise((resolve) => child.on('exit', resolve))
  /** @type {string} */
  const url = await new Promise((resolve, reject) => {
    let said = ''
    child.stderr.on('data', (chunk) => {
      said += chunk
      const found = /served at (\S+)/.exec(said)?.[1]
      if (found) resolve(found)
    })
    child.on('exit', () => reject(new Error(`The bridge did not start: ${said}`)))
  })
  return {
    url,
    async close() {
      child.kill()
      await ended
    }
  }
}

/**
 * Runs a program to its end, without a terminal.
 * @param {string} command
 * @param {string[]} args
 * @param {{ cwd?: string, env?: NodeJS.ProcessEnv, timeout?: number }} [options]
 * @returns {Promise<{ code: number | null, stdout: string, stderr: string }>}
 */
export function capture(command, args, { cwd = root, env = {}, timeout = 120_000 } = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd, env: { ...process.env, ...env }, timeout })
    let [stdout, stderr] = ['', '']
    child.stdout.on('data', (chunk) => (stdout += chunk))
    child.stderr.on('data', (chunk) => (stderr += chunk))
    child.stdin.end()
    child.on('error', reject)
    child.on('close', (code) => resolve({ code, stdout, stderr }))
  })
}
