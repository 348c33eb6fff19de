import { expect, it } from 'vitest'
import { addChanges } from './session-record.ts'

const first = { times: 2, at: 100, turns: 3 }
const then = { times: 1, at: 200, turns: 4 }

it.each([
  [undefined, undefined, {}],
  [first, undefined, { changed: first }],
  [undefined, then, { changed: { times: 1, at: 200, turns: 14 } }],
  [first, then, { changed: { times: 3, at: 200, turns: 14 } }],
])('%j and then %j', (before, later, sum) => {
  expect(addChanges(before, later, 10)).toEqual(sum)
})
