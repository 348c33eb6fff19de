import { expect, it } from 'vitest'
import { newUsageRecord, type SkillState } from '../usage/usage-record.ts'
import { stateOfPresent } from './session-home.ts'

it.each<[SkillState | undefined, string]>([
  [undefined, 'active'],
  ['active', 'active'],
  ['stale', 'stale'],
  // Restored, and not used since.
  ['archived', 'stale'],
])('takes a skill that is there and recorded as %s for %s', (state, wanted) => {
  expect(stateOfPresent(state && { ...newUsageRecord(1), state })).toBe(wanted)
})
