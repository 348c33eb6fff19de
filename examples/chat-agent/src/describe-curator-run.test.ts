import type { CuratorRun } from '@hermes/core'
import type { SkillTransition } from '@hermes/core/curator'
import { expect, it } from 'vitest'
import { describeCuratorRun } from './describe-event.ts'

const moved = (name: string, to: SkillTransition['to']): SkillTransition => ({ name, from: 'active', to, reason: 'Used long ago.' })

const run = (transitioned: readonly SkillTransition[], more: Partial<CuratorRun> = {}): CuratorRun => ({
  report: {
    checkedAt: 0,
    finishedAt: 0,
    dryRun: false,
    transitioned,
    skipped: [{ name: 'kept', reason: 'no-change' }],
    repaired: [],
    warnings: [],
    aborted: false,
  },
  reportPath: 'logs/curator/20260601-120000',
  backupId: 'b1',
  problems: [],
  ...more,
})

it('says in one line that there was nothing to do', () => {
  expect(describeCuratorRun(run([]))).toEqual(['· curator: checked 1 skill, 0 stale, 0 archived'])
})

it('names what moved, why, and where it can be got back from', () => {
  expect(describeCuratorRun(run([moved('old', 'archived'), moved('idle', 'stale'), moved('again', 'active')]))).toEqual([
    '· curator: checked 4 skills, 1 stale, 1 archived, 1 active again',
    'old: archived. Used long ago.',
    'idle: stale. Used long ago.',
    'again: active again. Used long ago.',
    'nothing is deleted; the backup b1 has it as it was',
  ])
})

it('names a few of many, and points to the report for the rest', () => {
  const lines = describeCuratorRun(run(Array.from({ length: 20 }, (_, index) => moved(`skill-${index}`, 'stale'))))
  expect(lines).toHaveLength(11)
  expect(lines[9]).toBe('and 12 more: logs/curator/20260601-120000/REPORT.md')
})
