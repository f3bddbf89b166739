// A value and everything that is nearly it: each part left out, replaced by each kind of nonsense, and with more beside it.

const nonsense: readonly unknown[] = [null, true, 7, -0.5, '', 'x', [], ['x'], [7], {}, { x: 1 }, [[]], [{}]]

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** All variants of one place at a time, the value itself first. */
export function* variants(value: unknown): Generator {
  yield value
  yield* changed(value)
}

function* changed(value: unknown): Generator {
  yield* nonsense
  if (Array.isArray(value)) {
    for (const [i, item] of value.entries()) {
      yield value.toSpliced(i, 1)
      for (const other of changed(item)) yield value.with(i, other)
    }
  } else if (isObject(value)) {
    yield { ...value, unknown: { deep: [1] } }
    yield { ...value, _meta: { progressToken: 'p', 'io.modelcontextprotocol/related-task': { taskId: 7 } } }
    for (const [key, item] of Object.entries(value)) {
      const { [key]: _, ...others } = value
      yield others
      for (const other of changed(item)) yield { ...value, [key]: other }
    }
  }
}
