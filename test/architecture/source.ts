// What the rules of the architecture need to know of a source file.
import { posix } from 'node:path'
import { parseSync, Visitor } from 'vite'

export interface Import {
  specifier: string
  /** The path in `src` that it resolves to; undefined for a package. */
  target?: string
  /** False for what the compiler erases: `import type`, `export type … from`. */
  runtime: boolean
}

export interface Source {
  path: string
  lines: number
  imports: Import[]
  /** Every identifier that stands in the code, and `navigator.locks`. */
  words: Set<string>
  /** Every string that stands in the code whole. */
  strings: Set<string>
  /** Exported names, types included, sorted; `*` for whatever another module exports. */
  exports: string[]
  /** True if loading it does more than declare: a statement stands at its top level. */
  acts: boolean
  /** What the house style has no use for, such as `any`. */
  foreignSyntax: string[]
}

const declares = /^(Import|Export|Variable|Function|Class|TS)\w*(Declaration|Signature)$/

const entryNames = /^intab(?:\/(\w+))?$/

function resolve(from: string, specifier: string): string | undefined {
  const entry = entryNames.exec(specifier)
  if (entry) return `src/${entry[1] ?? 'index'}.ts`
  return specifier.startsWith('.') ? posix.join(posix.dirname(from), specifier).replace(/\.js$/, '.ts') : undefined
}

/** Reads one file; throws if it does not parse. */
export function readSource(path: string, text: string): Source {
  const { program, module, errors } = parseSync(path, text)
  if (errors.length > 0) throw new Error(`${path}: ${errors.map((error) => error.message).join('; ')}`)
  const imports: Import[] = []
  const words = new Set<string>()
  const strings = new Set<string>()
  const foreignSyntax = new Set<string>()

  const add = (specifier: string, runtime: boolean): void => {
    const target = resolve(path, specifier)
    imports.push(target === undefined ? { specifier, runtime } : { specifier, target, runtime })
  }

  new Visitor({
    ImportDeclaration: (node) => add(node.source.value, node.importKind !== 'type'),
    ExportAllDeclaration: (node) => add(node.source.value, node.exportKind !== 'type'),
    ExportNamedDeclaration: (node) => {
      if (node.source) add(node.source.value, node.exportKind !== 'type')
    },
    ImportExpression: (node) => {
      if (node.source.type === 'Literal') add(String(node.source.value), true)
      else foreignSyntax.add('import() of something that is not a literal')
    },
    TSImportType: (node) => add(node.source.value, false),
    Identifier: (node) => {
      words.add(node.name)
    },
    Literal: (node) => {
      if (typeof node.value === 'string') strings.add(node.value)
    },
    TemplateElement: (node) => void strings.add(node.value.raw),
    MemberExpression: (node) => {
      const { object, property } = node
      const owner = object.type === 'MemberExpression' ? object.property : object
      if (owner.type !== 'Identifier' || property.type !== 'Identifier') return
      if (owner.name === 'navigator' && property.name === 'locks') words.add('navigator.locks')
    },
    ExportDefaultDeclaration: () => void foreignSyntax.add('a default export'),
    TSAnyKeyword: () => void foreignSyntax.add('any'),
    TSEnumDeclaration: () => void foreignSyntax.add('an enum'),
    TSModuleDeclaration: (node) => {
      if (node.kind === 'namespace') foreignSyntax.add('a namespace')
    },
    TSParameterProperty: () => void foreignSyntax.add('a parameter property')
  }).visit(program)

  const exports = module.staticExports.flatMap(({ entries }) =>
    entries.map(({ exportName }) => exportName.name ?? (exportName.kind === 'Default' ? 'default' : '*'))
  )
  if (exports.includes('default')) foreignSyntax.add('a default export')
  return {
    path,
    lines: text.trimEnd().split('\n').length,
    imports,
    words,
    strings,
    exports: exports.sort(),
    acts: program.body.some(({ type }) => !declares.test(type)),
    foreignSyntax: [...foreignSyntax]
  }
}

/** Reads many, by path. */
export function readSources(files: ReadonlyMap<string, string>): Map<string, Source> {
  return new Map([...files].map(([path, text]) => [path, readSource(path, text)]))
}
