// Firefox and WebKit as Debian ships them, and what drives them.
import { existsSync, readdirSync } from 'node:fs'
import { run } from '../run.mjs'

const apt = '/usr/bin/apt-get'
export const isDebian = process.platform === 'linux' && existsSync(apt)
const firefox = '/usr/bin/firefox-esr'
const driver = '/usr/bin/WebKitWebDriver'

/** @param {string} path below a folder of /usr/lib that is named after the processor */
function inLibraries(path) {
  const libraries = isDebian ? readdirSync('/usr/lib') : []
  return libraries.map((name) => `/usr/lib/${name}/${path}`).find((file) => existsSync(file))
}
const miniBrowser = () => inLibraries('webkit2gtk-4.1/MiniBrowser')

/** The packages, with whether they are there. */
const packages = {
  'firefox-esr': () => existsSync(firefox),
  'webkit2gtk-driver': () => existsSync(driver) && miniBrowser() !== undefined,
  'gir1.2-webkit2-4.1': () => inLibraries('girepository-1.0/WebKit2-4.1.typelib') !== undefined,
  'python3-gi': () => existsSync('/usr/lib/python3/dist-packages/gi'),
  xvfb: () => existsSync('/usr/bin/xvfb-run'),
  xauth: () => existsSync('/usr/bin/xauth')
}

/** @param {(keyof typeof packages)[]} wanted */
const lacking = (wanted) => wanted.filter((name) => !packages[name]())

/** When all installing must be over, from the first on: it may not hold up the rest for longer. */
let until = 0

/**
 * Each by itself: one that cannot be had keeps none of the others away.
 * @param {(keyof typeof packages)[]} wanted
 * @throws with those that are missing in the end
 */
async function ensurePackages(wanted) {
  if (!isDebian) throw new Error(`it needs packages of Debian: ${wanted.join(', ')}`)
  const missing = lacking(wanted)
  if (missing.length > 0 && process.getuid?.() === 0) {
    console.log(`Installing ${missing.join(', ')} …`)
    const isFirst = until === 0
    until ||= Date.now() + 12 * 60_000
    if (isFirst) await aptGet('update')
    for (const name of missing) await aptGet('install', '--no-install-recommends', name)
  }
  const left = lacking(wanted)
  if (left.length > 0) throw new Error(`as root, apt-get install ${left.join(' ')}`)
}

/** @param {string[]} args */
async function aptGet(...args) {
  const minutes = Math.max(0, until - Date.now()) / 60_000
  const options = ['-o', 'Acquire::http::Timeout=30', '-o', 'DPkg::Lock::Timeout=120', '-qq', '-y']
  try {
    const code = await run(apt, [...options, ...args], { DEBIAN_FRONTEND: 'noninteractive' }, minutes)
    if (code !== 0) console.warn(`apt-get ${args.join(' ')} ended with exit code ${code}`)
  } catch (error) {
    // The message that counts is the one of what is missing in the end.
    console.warn(String(error))
  }
}

/** @returns {Promise<string>} the path of Firefox */
export async function debianFirefox() {
  await ensurePackages(['firefox-esr'])
  return firefox
}

/**
 * @param {'disk' | 'memory'} where its profile is
 * @returns {Promise<string>} the path of MiniBrowser
 */
export async function debianWebKit(where) {
  await ensurePackages(['webkit2gtk-driver', 'xvfb', 'xauth'])
  if (where === 'disk') await ensurePackages(['python3-gi', 'gir1.2-webkit2-4.1'])
  return miniBrowser() ?? ''
}
