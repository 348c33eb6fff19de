import { expect, it } from 'vitest'
import { ok } from '../shared/result.ts'
import { readSkillRows, toSkillRow } from './skill-row.ts'

const SKILL = { name: 'deploy', path: 'ops/deploy', category: 'ops', folderName: 'deploy', description: 'Deploys.', diagnostics: [] }
const UNUSED = toSkillRow(SKILL, undefined)
const RECORD = { ...UNUSED, state: 'archived', useCount: 3, pinned: true, createdBy: 'agent', usesByDay: '2026-05-20 3' } as const

it.each([
  [undefined, 'active'],
  ['active', 'active'],
  ['stale', 'stale'],
  // Restored, and not used since.
  ['archived', 'stale'],
] as const)('takes a skill that is there and recorded as %s for %s', (state, wanted) => {
  expect(toSkillRow(SKILL, state && { ...RECORD, state }).state).toBe(wanted)
})

it('has the figures of its record, and no other fields', () => {
  const row = toSkillRow(SKILL, { ...RECORD, ...{ ownTexts: { 'SKILL.md': 'x' } } })
  expect(row).toEqual({ ...UNUSED, state: 'stale', useCount: 3, pinned: true, createdBy: 'agent', usesByDay: '2026-05-20 3' })
})

it('gives a shared skill no record of a skill of this home', () => {
  expect(toSkillRow({ ...SKILL, sharedFrom: 0 }, RECORD)).toEqual({ ...UNUSED, shared: true })
})

it('reads all rows, without usage as unused', async () => {
  const reader = { list: async () => ok({ skills: [SKILL], problems: [] }) }
  const usage = { all: async () => new Map([['deploy', RECORD]]) }
  expect(await readSkillRows(reader, usage)).toMatchObject({ ok: true, value: { skills: [{ useCount: 3 }] } })
  expect(await readSkillRows(reader, undefined)).toEqual(ok({ skills: [UNUSED], problems: [] }))
})
