// Switches one mechanism off in the build under test, so that the soak can be seen to fail without it.

import type { Plugin } from 'vite'

interface Cut {
  file: string
  from: string
  to: string
}

export const cuts = {
  /** What a tab leaves behind stays claimed. */
  claims: {
    file: 'src/storage/message-queue.ts',
    from: "await transactions.write('give-back', (write) => giveBack(write, connection, given, which === undefined))",
    to: 'void [giveBack, connection, given]'
  },
  /** Whoever runs a task may write it, whoever has it now. */
  fence: {
    file: 'src/storage/task-row.ts',
    from: 'row.executor === fence.executor && row.attempt === fence.attempt',
    to: 'row.executor !== undefined'
  },
  /** A commit is announced to nobody. */
  publish: {
    file: 'src/storage/transaction.ts',
    from: 'for (const [taskId, left] of changed) this.#options.publish(taskId, left)',
    to: ''
  },
  /** An answer is acknowledged before it is committed. */
  ack: {
    file: 'src/session/take-answer.ts',
    from: 'return write(hub, session, message.id, message)',
    to: `const { id } = message
  setTimeout(() => write(hub, session, id, message), 300)
  return Promise.resolve()`
  }
} satisfies Record<string, Cut>

export type Mechanism = keyof typeof cuts

export function isMechanism(name: string): name is Mechanism {
  return name in cuts
}

/** For the pages and for their workers; the build fails when the text to cut is not there. */
export function sabotage(mechanism: Mechanism): Plugin {
  const { file, from, to } = cuts[mechanism]
  let done = false
  return {
    name: `sabotage-${mechanism}`,
    enforce: 'pre',
    transform(code, id) {
      if (!id.endsWith(`/${file}`)) return null
      if (code.split(from).length !== 2)
        throw new Error(`${file} has not one '${from}': mend test/e2e/soak/sabotage.ts`)
      done = true
      return { code: code.replace(from, () => to), map: null }
    },
    closeBundle() {
      if (!done) throw new Error(`Nothing was cut out: the build does not hold ${file}`)
    }
  }
}
