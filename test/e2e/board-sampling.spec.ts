import { dialog, open, run, task } from './board.js'
import type { Page } from './fixtures.js'
import { expect, test } from './fixtures.js'

const outcome = (page: Page) => page.getByRole('region', { name: 'Outcome' })
const reply = (page: Page) => dialog(page).getByLabel('What the model says')

test('where the browser has no model the person is one', async ({ openTab, context }) => {
  await context.addInitScript(() => Reflect.deleteProperty(globalThis, 'LanguageModel'))
  const page = await openTab()
  await run(page, 'Write a haiku', { Topic: 'tabs' })
  await expect(dialog(page).getByLabel('Prompt (user)')).toHaveValue('Write a haiku about tabs.')
  await expect(dialog(page)).toContainText('this browser has none of its own')
  await expect(reply(page)).toBeFocused()
  await dialog(page).getByRole('button', { name: 'Send reply' }).click()
  await expect(dialog(page)).toContainText('Write what the model says')

  await reply(page).fill('One tab, then two tabs\n<b>an old pond</b>\nthe sound of closing')
  await dialog(page).getByRole('button', { name: 'Send reply' }).click()
  await open(page, 'Write a haiku')
  await expect(outcome(page)).toContainText('<b>an old pond</b>')
})

test('a refused request is an error for its tool', async ({ openTab }) => {
  const page = await openTab()
  await run(page, 'Write a haiku', { Topic: 'tabs' })
  await dialog(page).getByRole('button', { name: 'Refuse' }).click()
  await expect(task(page, 'Write a haiku')).toContainText('failed')
  await open(page, 'Write a haiku')
  await expect(outcome(page)).toContainText('User rejected sampling request')
})

test("the browser's model gets the prompt as edited, and its reply is sent as edited", async ({ openTab, context }) => {
  await context.addInitScript(() => {
    interface Turn {
      role: string
      content: string
    }
    const api = {
      availability: () => Promise.resolve('available'),
      create: ({ initialPrompts }: { initialPrompts: Turn[] }) =>
        Promise.resolve({
          prompt: (turns: Turn[]) =>
            Promise.resolve([...initialPrompts, ...turns].map(({ role, content }) => `${role}: ${content}`).join('\n')),
          destroy: () => undefined
        })
    }
    Reflect.set(globalThis, 'LanguageModel', api)
  })
  const page = await openTab()
  await run(page, 'Write a haiku', { Topic: 'tabs' })
  await dialog(page).getByLabel('Prompt (user)').fill('Write a haiku about doors.')
  await dialog(page).getByRole('button', { name: 'Ask this browser’s model' }).click()
  await expect(reply(page)).toHaveValue(/^system: You write haiku.*\nuser: Write a haiku about doors\.$/)
  await reply(page).fill(`${await reply(page).inputValue()} Edited.`)
  await dialog(page).getByRole('button', { name: 'Send reply' }).click()
  await open(page, 'Write a haiku')
  await expect(outcome(page)).toContainText('user: Write a haiku about doors. Edited.')
})

test('a draft of a reply survives a reload', async ({ openTab }) => {
  const page = await openTab()
  await openTab()
  await run(page, 'Write a haiku', { Topic: 'tabs' })
  await reply(page).fill('half a li')
  await page.reload()
  await expect(reply(page)).toHaveValue('half a li')
})
