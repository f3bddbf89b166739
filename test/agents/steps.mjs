// What each agent library must do with the server's tools, as a user sees it on the example's page.
import { expect as within } from '@playwright/test'

// Only ends what hangs: a slow machine is no failure.
const expect = within.configure({ timeout: 60_000 })

/** @typedef {import('@playwright/test').Page} Page */
/** @typedef {typeof import('intab/testing').killWorker} KillWorker */

/** Starts the agent, and resolves when its tool asks. @param {Page} page @param {string} button */
async function start(page, button) {
  await page.getByRole('button', { name: button }).click()
  await expect(page.getByRole('dialog')).toContainText('Delete a.txt?')
}

/** @param {Page} page */
const answer = (page) => page.getByRole('dialog').getByRole('button', { name: 'Yes' }).click()
/** @param {Page} page */
const output = (page) => expect(page.locator('output'))
/** @param {Page} page */
const tasks = (page) => expect(page.getByRole('list', { name: 'Tasks' }).getByRole('listitem'))

/** @type {{ name: string, run(page: Page, button: string, killWorker: KillWorker): Promise<void> }[]} */
const scenes = [
  {
    name: 'calls a tool that asks the user, and the model hears the result',
    async run(page, button) {
      await start(page, button)
      await answer(page)
      await output(page).toHaveText('The tool said: Deleted a.txt')
    }
  },
  {
    name: 'gets the result although the worker is killed during the call',
    async run(page, button, killWorker) {
      await start(page, button)
      await killWorker(page)
      await tasks(page).toHaveText([/input_required, attempt 2/])
      await answer(page)
      await output(page).toHaveText('The tool said: Deleted a.txt')
    }
  },
  {
    name: 'stops, and the task is cancelled',
    async run(page, button) {
      await start(page, button)
      await page.getByRole('button', { name: 'Stop' }).click()
      await output(page).toHaveText('stopped')
      await tasks(page).toHaveText([/cancelled/])
    }
  },
  {
    name: 'waits for a user who thinks for ten minutes',
    async run(page, button) {
      await page.clock.install()
      await page.reload()
      await start(page, button)
      await page.clock.fastForward('10:00')
      await answer(page)
      await output(page).toHaveText('The tool said: Deleted a.txt')
    }
  }
]

/** The buttons of each page. */
const pages = {
  'ai-sdk': ['Generate', 'Stream'],
  langchain: ['Generate'],
  'openai-agents': ['Generate'],
  'tanstack-ai': ['Generate']
}

export const steps = Object.entries(pages).flatMap(([library, buttons]) =>
  buttons.flatMap((button) =>
    scenes.map(({ name, run }) => ({
      library,
      name: `${button}: ${name}`,
      /** @param {Page} page @param {string} url @param {KillWorker} killWorker of the packed intab/testing */
      async run(page, url, killWorker) {
        /** @type {string[]} */
        const problems = []
        page.on('pageerror', ({ message }) => problems.push(message))
        page.on('console', (line) => line.type() === 'error' && problems.push(line.text()))
        await page.goto(url)
        await run(page, button, killWorker)
        expect(problems, 'errors on the console of the page').toEqual([])
      }
    }))
  )
)
