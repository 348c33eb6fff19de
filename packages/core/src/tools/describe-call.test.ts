import { expect, it } from 'vitest'
import { describeCall } from './describe-call.ts'

it.each([
  ['done', { success: true, previous: ['secret plan'] }],
  ['waits for a person', { success: false, code: 'held', error: 'It waits.' }],
  ['not done: not_found', { success: false, code: 'not_found', current_entries: ['secret plan'] }],
  ['not done', { success: false, error: 'secret plan' }],
])('a call that was %s is told by what was asked for, without its result', (outcome, result) => {
  expect(describeCall('memory', { action: 'add', content: 'Likes tea', old_text: null }, result)).toBe(
    `[memory {"action":"add","content":"Likes tea"}: ${outcome}]`,
  )
})

it('a long input is cut, and one that is no JSON does not throw', () => {
  expect(describeCall('skill_manage', { content: 'x'.repeat(1_000) }, { success: true })).toHaveLength(425)
  const circular: Record<string, unknown> = {}
  circular['self'] = circular
  expect(describeCall('memory', circular, {})).toBe('[memory [not readable]: not done]')
})
