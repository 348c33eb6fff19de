import { expect, it } from 'vitest'
import type { Paint } from './paint.ts'
import { toolLine } from './tool-line.ts'

const same = (text: string): string => text
const paint: Paint = { dim: same, bold: same, red: same }
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
  expect(line(input, { success: false, held: true })).toContain('held: it waits for your decision, see /memory')
})

it('shows other tools with their arguments, and without control characters', () => {
  expect(line({ q: 'a\u001b[2J' }, 'found', 'search')).toBe('· search {"q":"a\\u001b[2J"}')
  expect(toolLine({ type: 'tool-failed', toolName: 'search', error: new Error('no\u001b net') }, 60, paint)).toBe('· search failed: no net')
})
