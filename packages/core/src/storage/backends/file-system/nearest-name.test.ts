import { expect, it } from 'vitest'
import { checkStoragePath } from '../../storage-paths.ts'
import { nearestName } from './nearest-name.ts'

it.each([
  ['a\\b.md', 'a%5Cb.md'],
  ['two\nlines\t.md', 'two%0Alines%09.md'],
  ['10:30?', '10%3A30%3F'],
  ['ends with a dot.', 'ends with a dot%2E'],
  ['bytes \ufffd\ud800', 'bytes \ufffd\ufffd'],
])('writes %j in a way that a path may have', (name, nearest) => {
  expect(nearestName(name, new Set())).toBe(nearest)
  expect(checkStoragePath(nearest).ok).toBe(true)
})

it('gives no name twice, and none that another entry has', () => {
  const taken = new Set(['a%5Cb'])
  expect([nearestName('a\\b', taken), nearestName('a\\b', taken), nearestName('c\\d', taken)]).toEqual(['a%5Cb~2', 'a%5Cb~3', 'c%5Cd'])
})
