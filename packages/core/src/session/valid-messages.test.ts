/** Messages of hosts without types. */
import { expect, it } from 'vitest'
import { areMessages } from './session.ts'

const message = { role: 'user', text: 'Hello' }

it.each([
  [true, []],
  [true, [message, { role: 'assistant', text: '' }, { role: 'tool', text: 'x', toolNames: ['a', 'b'] }]],
  [true, [{ ...message, toolNames: [] }]],
  [false, undefined],
  [false, message],
  [false, 'Hello'],
  [false, [message, undefined]],
  [false, [null]],
  [false, ['Hello']],
  [false, [7, message]],
  [false, [{ text: 'Hello' }]],
  [false, [{ role: 'system', text: 'Hello' }]],
  [false, [{ role: 'user' }]],
  [false, [{ role: 'user', text: 7 }]],
  [false, [{ ...message, toolNames: 'a' }]],
  [false, [{ ...message, toolNames: ['a', 7] }]],
])('%s: %j', (areValid, value) => {
  expect(areMessages(value)).toBe(areValid)
})
