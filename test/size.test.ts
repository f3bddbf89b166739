import { expect, test } from 'vitest'
import { sizes } from '../scripts/size.mjs'

test('an app that uses the packed package gains no more than the limits of scripts/size.mjs', async () => {
  const tooLarge = (await sizes()).filter(({ kB, limit }) => kB > limit)
  expect(tooLarge).toEqual([])
}, 120_000)
