// The range of each peer that the package cannot do without, from package.json, and where it begins.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../run.mjs'

const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))

/** @type {Record<string, string>} */
export const ownDependencies = manifest.dependencies

/** @type {Record<string, string>} */
export const peers = Object.fromEntries(
  Object.entries(manifest.peerDependencies).filter(([name]) => manifest.peerDependenciesMeta[name]?.optional !== true)
)

/** @type {Record<string, string>} */
export const oldestPeers = Object.fromEntries(
  Object.entries(peers).map(([name, range]) => [name, range.replace('^', '')])
)
