import { describe, expect, it } from 'vitest'
import { planTidy } from './tidy-journal.ts'

const NOON = Date.UTC(2026, 2, 10, 12)

const layout = (appends: Readonly<Record<string, number>>, documents: readonly string[] = Object.keys(appends)) => ({
  documents: new Map(documents.map((day) => [day, ''])),
  appends: new Map(
    Object.entries(appends).map(([day, count]) => [day, Array.from({ length: count }, (_, index) => `journal/${day}/${index}`)]),
  ),
})

const told = (work: readonly { day: string; paths: readonly string[]; whole: boolean }[]) =>
  work.map(({ day, paths, whole }) => [day, paths.length, whole])

describe('planTidy', () => {
  it('compacts ended days, the newest first, and leaves the running day', () => {
    const plan = planTidy(layout({ '2026-03-08': 2, '2026-03-09': 3, '2026-03-10': 4 }), { now: NOON, retainDays: 365, maxDocuments: 100 })
    expect(told(plan.compact)).toEqual([
      ['2026-03-09', 3, true],
      ['2026-03-08', 2, true],
    ])
    expect(plan.expire).toEqual([])
  })

  it('gives clocks that are behind an hour after midnight', () => {
    const at = (hour: number, minute: number) => ({ now: Date.UTC(2026, 2, 10, hour, minute), retainDays: 365, maxDocuments: 100 })
    expect(planTidy(layout({ '2026-03-09': 1 }), at(0, 59)).compact).toEqual([])
    expect(told(planTidy(layout({ '2026-03-09': 1 }), at(1, 0)).compact)).toEqual([['2026-03-09', 1, true]])
  })

  it('keeps as many days as are asked for, today included, and expires the oldest first', () => {
    const days = layout({ '2026-03-07': 1, '2026-03-08': 1, '2026-03-10': 1 }, ['2026-02-01', '2026-03-07', '2026-03-08', '2026-03-10'])
    expect(told(planTidy(days, { now: NOON, retainDays: 3, maxDocuments: 100 }).expire)).toEqual([
      ['2026-02-01', 0, true],
      ['2026-03-07', 1, true],
    ])
    expect(planTidy(days, { now: NOON, retainDays: 'forever', maxDocuments: 100 }).expire).toEqual([])
    expect(told(planTidy(days, { now: NOON, retainDays: 1, maxDocuments: 100 }).expire)).toHaveLength(3)
  })

  it('does no more than a pass may, and leaves room for both kinds of work', () => {
    const plan = planTidy(layout({ '2026-01-01': 30, '2026-03-08': 4, '2026-03-09': 4 }), { now: NOON, retainDays: 7, maxDocuments: 10 })
    expect(told(plan.expire)).toEqual([['2026-01-01', 5, false]])
    expect(told(plan.compact)).toEqual([
      ['2026-03-09', 4, true],
      ['2026-03-08', 1, false],
    ])
    expect(planTidy(layout({ '2026-03-09': 4 }), { now: NOON, retainDays: 7, maxDocuments: 0 }).compact).toEqual([])
  })
})
