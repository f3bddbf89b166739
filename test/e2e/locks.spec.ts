import { locksContract } from '../contract/locks-contract.js'
import { expect, test } from './fixtures.js'

for (const { name } of locksContract) {
  test(`Web Locks: ${name}`, async ({ openTab }) => {
    const page = await openTab('/test/e2e/pages/connect.html')
    expect(await page.evaluate((rule) => connect.rule(rule), name)).toBeUndefined()
  })
}
