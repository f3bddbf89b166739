// Makes docs/reference.md from the declarations that the compiler emits: `node scripts/reference.mjs`. TypeDoc cannot read
// TypeScript 7, and expands types of the SDK and of zod over hundreds of lines. A test compares the page with the code.
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, posix } from 'node:path'
import { pathToFileURL } from 'node:url'
import { parseSync } from 'vite'
import { capture } from './outside.mjs'
import { root } from './run.mjs'

/** @typedef {{ name: string, code: string, doc: string }} Member */
/** @typedef {{ name: string, kind: 'value' | 'type', code: string, doc: string, members: Member[] }} Export */
/** @typedef {{ specifier: string, intro: string, exports: Export[], also: string[] }} Entry */
/** @typedef {{ type: string, start: number, end: number } & Record<string, any>} Node */

export const page = 'docs/reference.md'

/** @param {string} folder */
async function declarations(folder) {
  const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc')
  const args = ['-p', join(root, 'tsconfig.build.json'), '--emitDeclarationOnly', '--outDir', folder]
  const { code, stdout } = await capture(process.execPath, [tsc, ...args])
  if (code !== 0) throw new Error(`The package does not compile:\n${stdout}`)
}

/** The text of a block comment that documents, without its stars and the line breaks of the source. */
const textOf = (/** @type {string} */ comment) =>
  comment
    .replaceAll(/^\*+|\s*$/g, '')
    .split('\n')
    .map((line) => line.replace(/^\s*\* ?/, '').trimEnd())
    .join('\n')
    .trim()

/** A file of declarations, and what is needed to find things in it. */
class File {
  /** @param {string} path @param {string} text */
  constructor(path, text) {
    const { program, comments } = parseSync(path, text)
    this.path = path
    this.text = text
    /** @type {Node[]} */
    this.body = /** @type {any} */ (program).body
    this.comments = comments.filter(({ type, value }) => type === 'Block' && value.startsWith('*'))
  }

  /** The comment right before a node. */
  doc(/** @type {Node} */ node) {
    const comment = this.comments.findLast(
      ({ end }) => end <= node.start && this.text.slice(end, node.start).trim() === ''
    )
    return comment === undefined ? '' : textOf(comment.value)
  }

  /** Where a name that this file exports is declared. */
  find(/** @type {string} */ name) {
    for (const statement of this.body) {
      const declaration = statement.declaration ?? statement
      const found = [declaration.id, ...(declaration.declarations ?? []).map((/** @type {Node} */ { id }) => id)]
      if (found.some((id) => id?.name === name)) return { statement, declaration }
    }
    return undefined
  }

  /** The files that this one exports whole. */
  get whole() {
    return this.body
      .filter(({ type }) => type === 'ExportAllDeclaration')
      .map(({ source }) => this.resolve(source.value))
  }

  /** The file from which this one exports a name of another. */
  passedOn(/** @type {string} */ name) {
    const exporting = this.body.find((node) =>
      node.specifiers?.some((/** @type {Node} */ { exported, local }) => (exported ?? local).name === name)
    )
    return exporting?.source && this.resolve(exporting.source.value)
  }

  resolve(/** @type {string} */ specifier) {
    return posix.join(posix.dirname(this.path), specifier.replace(/\.js$/, '.d.ts'))
  }

  /** A node's source without `export declare` and the comments inside. */
  code(/** @type {Node} */ node) {
    let code = this.text.slice(node.start, node.end)
    for (const { start, end } of this.comments)
      if (start >= node.start && end <= node.end) code = code.replace(this.text.slice(start, end), '')
    return code.replace(/^(export |declare |readonly (?=\[))+/, '').replaceAll(/\n\s*\n/g, '\n')
  }

  /** @returns {Member[]} */
  members(/** @type {Node} */ declaration) {
    /** @type {Node[]} */
    const nodes = declaration.body?.body ?? []
    return nodes
      .filter(({ key, accessibility }) => key?.type !== 'PrivateIdentifier' && accessibility !== 'private')
      .map((node) => ({
        name: node.key ? this.text.slice(node.key.start, node.key.end) : 'constructor',
        code: this.code(node)
          .replace(/;$/, '')
          .replaceAll(/\s*\n\s*/g, ' '),
        doc: this.doc(node)
      }))
  }
}

/** @returns {Promise<Entry[]>} */
export async function readEntries() {
  const folder = await mkdtemp(join(tmpdir(), 'intab-reference-'))
  try {
    await declarations(folder)
    /** @type {Map<string, File>} */
    const files = new Map()
    const open = async (/** @type {string} */ path) => {
      const file = files.get(path) ?? new File(path, await readFile(join(folder, path), 'utf8'))
      files.set(path, file)
      return file
    }
    /** @param {string} path @param {string} name @returns {Promise<{ file: File, found: { statement: Node, declaration: Node } }>} */
    const declaring = async (path, name) => {
      const file = await open(path)
      const found = file.find(name)
      if (found) return { file, found }
      const elsewhere = file.passedOn(name) ?? file.whole[0]
      if (elsewhere) return declaring(elsewhere, name)
      throw new Error(`${path} declares no ${name}`)
    }
    const manifest = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'))
    const seen = new Set()
    /** @type {Entry[]} */
    const entries = []
    for (const [key, target] of Object.entries(manifest.exports)) {
      if (typeof target === 'string') continue
      const path = posix.relative('dist', posix.normalize(target.types))
      const source = await readFile(join(root, 'src', path.replace('.d.ts', '.ts')), 'utf8')
      const intro = /^\/\/ "[\w/-]+": ([\s\S]*?)\n(?!\/\/)/.exec(source)?.[1]?.replaceAll('\n// ', ' ') ?? ''
      /** @type {Entry} */
      const entry = { specifier: posix.join('intab', key), intro, exports: [], also: [] }
      const file = await open(path)
      for (const statement of file.body.filter(({ type }) => type === 'ExportNamedDeclaration')) {
        const from = statement.source?.value
        const names = from
          ? statement.specifiers.map((/** @type {Node} */ { local }) => local.name)
          : [statement.declaration.id.name]
        for (const name of names) {
          const home = await declaring(from ? file.resolve(from) : path, name)
          if (seen.has(`${home.file.path} ${name}`)) {
            entry.also.push(name)
            continue
          }
          seen.add(`${home.file.path} ${name}`)
          const { statement: outer, declaration } = home.found
          const isType = /^TS(Interface|TypeAlias)/.test(declaration.type)
          const members = isType && declaration.type !== 'TSInterfaceDeclaration' ? [] : home.file.members(declaration)
          const code = home.file.code(outer).replace(/\s*\{[\s\S]*/, (body) => (members.length > 0 ? '' : body))
          entry.exports.push({ name, kind: isType ? 'type' : 'value', code, doc: home.file.doc(outer), members })
        }
      }
      entry.exports.sort((a, b) => (a.kind === b.kind ? (a.name < b.name ? -1 : 1) : a.kind === 'value' ? -1 : 1))
      entries.push(entry)
    }
    return entries
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Text of a docstring in a cell of a table: one line, no cell of its own. */
const cell = (/** @type {string} */ text) => text.replaceAll(/\s*\n\s*/g, ' ').replaceAll('|', '\\|')

/** A docstring as Markdown: addresses that stand alone become links, and what looks like HTML is text. */
const prose = (/** @type {string} */ text) =>
  text.replaceAll(/(?<![(<`])https?:\/\/\S+?(?=[.,;]?(?:\s|$))/g, '<$&>').replaceAll(/\{@link (\w+)\}/g, '`$1`')

/** @param {Export} given */
function section({ name, code, doc, members }) {
  const lines = [`### ${name}`, '', prose(doc), '', '```typescript', code.trimEnd(), '```', '']
  if (members.length > 0) {
    lines.push('| member | |', '| --- | --- |')
    for (const member of members) lines.push(`| \`${cell(member.code)}\` | ${cell(prose(member.doc))} |`)
    lines.push('')
  }
  return lines.join('\n')
}

/** @param {Entry[]} entries */
export const render = (entries) =>
  `# Reference

Every export of every entry, made from the types by \`node scripts/reference.mjs\`.

${entries
  .map(({ specifier, intro, exports, also }) =>
    [
      `## ${specifier}\n`,
      `${intro.charAt(0).toUpperCase()}${intro.slice(1)}\n`,
      ...(also.length > 0 ? [`It also exports ${also.map((name) => `\`${name}\``).join(', ')}; see above.\n`] : []),
      ...exports.map(section)
    ].join('\n')
  )
  .join('\n')}`

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  await writeFile(join(root, page), render(await readEntries()))
}
