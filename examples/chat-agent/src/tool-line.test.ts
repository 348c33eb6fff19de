import type { Paint } from '@hermes/example-chat-parts/terminal'
import { expect, it } from 'vitest'
import { toolLine } from './tool-line.ts'

const same = (text: string): string => text
const paint: Paint = { dim: same, bold: same, red: same, green: same, yellow: same }
const line = (input: unknown, output: unknown = { success: true }, toolName = 'memory'): string =>
  toolLine({ type: 'tool', toolName, input, output }, 60, paint)

it('tells a memory call in one line', () => {
  expect(line({ action: 'add', target: 'user', content: 'User lives in Oslo' })).toBe('· memory add user: User lives in Oslo')
  expect(line({ action: 'replace', target: 'user', old_text: 'Oslo', content: 'Bergen' })).toBe('· memory replace user: Oslo → Bergen')
  expect(
    line({
      target: null,
      operations: [
        { action: 'remove', old_text: 'a' },
        { action: 'add', content: 'b: c' },
      ],
    }),
  ).toBe('· memory remove memory: a; add memory: b: c')
  expect([...line({ action: 'add', target: 'user', content: 'x'.repeat(200) })]).toHaveLength(60)
})

it('adds why nothing was saved', () => {
  const input = { action: 'add', target: 'user', content: 'a' }
  expect(line(input, { success: false, error: 'The store is full.' })).toBe('· memory add user: a\n  not done: The store is full.')
  const error = 'Nothing is saved yet: this change waits (It holds a rule (see m9). It waits.). A later review settles it.'
  const held = line(input, { success: false, code: 'held', error, pending_id: '1234abcd5678' }).replace(/\s+/g, ' ')
  expect(held).toBe('· memory add user: a held: It holds a rule. It waits. /approve 1234abcd or /reject 1234abcd')
  expect(line(input, { success: false, code: 'held' })).toContain('held: It waits for your approval.')
})

it('tells what a skill tool does in words', () => {
  expect(line({ name: 'split-bills' }, { success: true, content: '…' }, 'skill_view')).toBe('· read the skill split-bills')
  expect(line({ name: 'deploy', file_path: 'references/api.md' }, { success: true }, 'skill_view')).toBe(
    '· read references/api.md in the skill deploy',
  )
  expect(line({}, { success: true, skills: [] }, 'skills_list')).toBe('· look through the skills')
  const manage = (input: object, output: object = { success: true }) => line({ name: 'deploy', ...input }, output, 'skill_manage')
  expect(manage({ action: 'create', content: '---' })).toBe('· make the skill deploy')
  expect(manage({ action: 'patch', old_string: 'a', new_string: 'b' })).toBe('· change the skill deploy')
  expect(manage({ action: 'patch', file_path: 'scripts/a.sh' })).toBe('· change scripts/a.sh in the skill deploy')
  expect(manage({ action: 'write_file', file_path: 'scripts/a.sh' })).toBe('· write scripts/a.sh in the skill deploy')
  expect(manage({ action: 'remove_file', file_path: 'scripts/a.sh' })).toBe('· remove scripts/a.sh in the skill deploy')
  expect(manage({ action: 'archive', absorbed_into: 'release' })).toBe('· archive the skill deploy, now part of release')
  expect(manage({ action: 'edit' }, { success: false, error: 'It is pinned.' })).toBe(
    '· rewrite the skill deploy\n  not done: It is pinned.',
  )
})

it('tells a sum with its result, and the time', () => {
  expect(line({ expression: '12 * 7' }, { expression: '12 * 7', result: 84 }, 'calculate')).toBe('· calculate 12 * 7 = 84')
  expect(line({ expression: '1 / 0' }, { success: false, error: 'It divides by zero.' }, 'calculate')).toBe(
    '· calculate 1 / 0\n  not done: It divides by zero.',
  )
  const time = { timeZone: 'Asia/Tokyo', weekday: 'Sunday', date: '2026-11-22', time: '08:05', offset: 'GMT+09:00' }
  expect(line({ timeZone: 'Asia/Tokyo' }, time, 'current_time')).toBe('· the time is 08:05, Sunday 2026-11-22 (Asia/Tokyo)')
})

it('shows other tools with their arguments, and without control characters', () => {
  expect(line({ q: 'a\u001b[2J' }, 'found', 'search')).toBe('· search {"q":"a\\u001b[2J"}')
  expect(toolLine({ type: 'tool-failed', toolName: 'search', error: new Error('no\u001b net') }, 60, paint)).toBe('· search failed: no net')
})
