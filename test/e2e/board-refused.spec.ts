// A person's answer that the server refuses is not lost: the form is shown again, with the reason.

import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js'
import { runTask } from 'intab'
import { type Mcp, mcp } from 'intab/testing'
import { banner, dialog, task } from './board.js'
import { expect, test as base } from './fixtures.js'

const test = base.extend<{ mcp: Mcp }>({ mcp })

test('an answer that was refused elsewhere is told in the form of the tab that takes the question over', async ({
  page,
  mcp
}) => {
  await page.goto('/')
  const asked: string[] = []
  const client = await mcp({
    client: { capabilities: { elicitation: { form: {} } } },
    prepare: (client) =>
      client.setRequestHandler(ElicitRequestSchema, ({ params }) => {
        asked.push(params.message)
        // A program that fills the form badly once, and leaves the rest to a person.
        return asked.length === 1 ? { action: 'accept', content: { confirm: 'yes' } } : new Promise(() => undefined)
      })
  })
  const run = await runTask(client, { name: 'confirm_delete', arguments: { filename: 'a.txt' } })
  const result = run.result()
  const reason = 'Your answer was not taken: confirm must be of type boolean'
  await expect.poll(() => asked).toEqual(['Delete a.txt?', `Delete a.txt? (${reason})`])
  await banner(page).getByRole('button', { name: 'Take over here' }).click()
  const form = dialog(page, 'Delete a.txt?')
  await expect(form.getByRole('alert')).toHaveText(reason)
  await form.getByLabel('Yes, delete it').check()
  await form.getByRole('button', { name: 'Submit' }).click()
  expect(await result).toMatchObject({ content: [{ text: 'There was no a.txt' }] })
  await expect(task(page, 'Delete a note')).toContainText('completed')
})
