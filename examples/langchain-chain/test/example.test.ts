/** What the example adds to a chain. `example.long.test.ts` runs it. */
import { expect, it } from 'vitest'
import { difference } from '../src/demo/show-difference.ts'

it('the chain differs by a few lines', () => {
  const lines = difference('before.ts', 'after.ts')
  expect(lines.filter((line) => line.startsWith('-'))).toEqual([])
  expect(lines.length).toBeLessThanOrEqual(7)
})
