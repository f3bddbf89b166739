// Marks the SDK's schemas for a bundler, which keeps what nobody uses as long as it cannot know what the calls in it do.

/** What is read of a syntax tree: https://github.com/estree/estree */
interface Node {
  type: string
  start: number
  end: number
  name?: string
  kind?: string
  source?: { value?: unknown }
  specifiers?: Node[]
  local?: Node
  declaration?: Node | null
  declarations?: Node[]
  id?: Node
  init?: Node | null
  callee?: Node
  object?: Node
  property?: Node
  computed?: boolean
}

const functions = new Set(['ArrowFunctionExpression', 'FunctionExpression'])

/** What does more than make a value. */
const acts = new Set([
  'AssignmentExpression',
  'AwaitExpression',
  'ClassExpression',
  'ImportExpression',
  'NewExpression',
  'TaggedTemplateExpression',
  'UnaryExpression',
  'UpdateExpression'
])

/** Functions of zod that do more than make a schema: they write where others read, or call what they are given. */
const runs = new Set(['apply', 'config', 'meta', 'parse', 'register'])

/** The name that a chain of members and calls begins with: `z` of `z.string().optional()`. */
function rootOf(node: Node | undefined): string | undefined {
  if (node?.type === 'CallExpression') return rootOf(node.callee)
  return node?.type === 'MemberExpression' ? rootOf(node.object) : node?.name
}

/** True if all that it calls are functions of zod and methods of schemas. A function in it is not called yet. */
function onlyBuilds(node: Node, schemas: ReadonlySet<string>): boolean {
  if (functions.has(node.type)) return true
  if (acts.has(node.type)) return false
  if (node.type === 'CallExpression') {
    const { computed, property } = node.callee ?? {}
    if (computed === true || property?.name === undefined || runs.has(property.name)) return false
    if (!schemas.has(rootOf(node.callee) ?? '')) return false
  }
  return Object.values(node).every((child: unknown) => {
    return typeof child !== 'object' || child === null || onlyBuilds(child as Node, schemas)
  })
}

/**
 * The code of a module, given with its parsed statements, with each top-level constant marked that zod makes and that
 * thus may go when nobody uses it. What does anything else stays as it is. No line moves.
 */
export function markSchemas(code: string, body: readonly object[]): string {
  const schemas = new Set<string>()
  let marked = ''
  let end = 0
  for (const statement of body as readonly Node[]) {
    if (statement.source?.value === 'zod/v4') {
      for (const { type, local } of statement.specifiers ?? []) {
        if (type === 'ImportNamespaceSpecifier' && local?.name !== undefined) schemas.add(local.name)
      }
    }
    const { kind, declarations = [] } = statement.declaration ?? statement
    for (const { id, init } of kind === 'const' ? declarations : []) {
      if (init?.type !== 'CallExpression' || id?.name === undefined || !onlyBuilds(init, schemas)) continue
      schemas.add(id.name)
      // Only the call of a function is pure whatever is in it: a bundler looks into the arguments of all others.
      marked += `${code.slice(end, init.start)}/* @__PURE__ */ (() => ${code.slice(init.start, init.end)})()`
      end = init.end
    }
  }
  return marked + code.slice(end)
}
