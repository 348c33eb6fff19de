import { expect, it } from 'vitest'
import { longestOpText, type MemoryOp } from './memory-op.ts'

it.each<[number, MemoryOp]>([
  [3, { action: 'add', content: 'abc' }],
  [5, { action: 'remove', oldText: 'abcde' }],
  [5, { action: 'replace', oldText: 'abcde', content: 'abc' }],
  [4, { action: 'replace', oldText: 'ab', content: 'abcd' }],
])('the longest text has %i UTF-16 units in %j', (chars, op) => {
  expect(longestOpText(op)).toBe(chars)
})
