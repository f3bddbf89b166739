// The tools of the scenarios. A worker in Node's memory and a process of a server define them from this one file.

const text = (/** @type {string} */ words) => ({ content: [{ type: /** @type {const} */ ('text'), text: words }] })
const forEver = () => new Promise(() => undefined)

/**
 * @param {typeof import('../../src/tool.js').taskTool} taskTool
 * @param {typeof import('zod')} z
 * @param {(line: string) => void} say
 */
export function scenarioTools(taskTool, z, say) {
  const config = {
    inputSchema: { name: z.string() },
    taskSupport: /** @type {const} */ ('optional'),
    onInterrupt: /** @type {const} */ ('resume')
  }
  return [
    taskTool('quick', config, ({ name }) => text(name)),
    taskTool('ask', config, async ({ name }, task) => {
      await task.step('first', () => say(`step first ${name}`))
      say(`asks ${name}`)
      const answer = await task.elicit({
        message: `Delete ${name}?`,
        requestedSchema: { type: 'object', properties: { confirm: { type: 'boolean' } }, required: ['confirm'] }
      })
      await task.step('last', () => say(`step last ${name}`))
      return text(`${answer.action} ${String(answer.content?.confirm)} ${name}`)
    }),
    taskTool('sleep', config, async ({ name }, task) => {
      const began = await task.step('first', () => (say(`step first ${name}`), Date.now()))
      say(`sleeps ${name}`)
      await task.sleep(2_000)
      return text(`${name} slept ${Date.now() - began >= 2_000 ? 'long enough' : 'too short'}`)
    }),
    taskTool('hang', config, async ({ name }, task) => {
      await task.step('first', () => say(`step first ${name}`))
      await task.step('slow', async () => {
        say(`step slow ${name}`)
        if (task.attempt === 1) await forEver()
      })
      return text(`${name} in attempt ${task.attempt}`)
    }),
    // Which of the two branches comes first to its second step differs between the attempts.
    taskTool('branches', config, async ({ name }, task) => {
      const wait = (/** @type {boolean} */ late) => new Promise((resolve) => setTimeout(resolve, late ? 50 : 0))
      const branch = async (/** @type {string} */ key, /** @type {boolean} */ late) => {
        const one = await task.step(`${key}1`, () => (say(`step ${key}1 ${name}`), `${key}1`))
        await wait(late)
        return `${one} ${await task.step(`${key}2`, () => (say(`step ${key}2 ${name}`), `${key}2`))}`
      }
      const both = await Promise.all([branch('a', task.attempt === 1), branch('b', task.attempt !== 1)])
      await task.step('slow', async () => {
        say(`step slow ${name}`)
        if (task.attempt === 1) await forEver()
      })
      return text(both.join(' '))
    }),
    taskTool('flaky', config, async ({ name }, task) => {
      const once = () =>
        task.step('flaky', () => {
          say(`step flaky ${name}`)
          if (task.attempt === 1) throw new Error('not yet')
          return 'done'
        })
      const first = await once().catch((/** @type {Error} */ error) => error.message)
      if (task.attempt === 1) await task.step('slow', () => (say(`step slow ${name}`), forEver()))
      return text(first)
    }),
    taskTool('fragile', { ...config, onInterrupt: 'fail' }, async ({ name }, task) => {
      await task.step('slow', () => (say(`step slow ${name}`), forEver()))
      return text('never')
    })
  ]
}
