import { expect, it } from 'vitest'
import { checkAgeing, cutoffsAt, isExemptFromMerging, windowFactor } from './age.ts'
import { AGEING_PRESETS, type AgeingOptions } from './curator-options.ts'

const NOW = Date.UTC(2026, 5, 1, 12)
const DAY = 86_400_000

const check = (options?: AgeingOptions) => {
  const checked = checkAgeing(options)
  if (!checked.ok) throw checked.error
  return checked.value
}

it('ages by 30 and 90 days of the calendar and exempts what was never active, unless told otherwise', () => {
  expect(check()).toEqual({ staleAfterDays: 30, archiveAfterDays: 90, neverActive: 'exempt', countBy: 'calendar', warnings: [] })
})

it('has presets for people who use their agent daily, monthly, or once a year', () => {
  expect(check(AGEING_PRESETS.monthly)).toMatchObject({ staleAfterDays: 120, archiveAfterDays: 365, warnings: [] })
  expect(check(AGEING_PRESETS.yearly)).toMatchObject({ staleAfterDays: 365, archiveAfterDays: Number.POSITIVE_INFINITY, warnings: [] })
})

it('takes less than a day for a day and says so', () => {
  const { staleAfterDays, archiveAfterDays, warnings } = check({ staleAfterDays: 0, archiveAfterDays: -5 })
  expect([staleAfterDays, archiveAfterDays]).toEqual([1, 1])
  expect(warnings.join(' ')).toMatch(/'staleAfterDays' is 0.*'archiveAfterDays' is -5/)
})

it('says if skills would go to the archive without having been stale', () => {
  expect(check({ staleAfterDays: 30, archiveAfterDays: 10 }).warnings.join()).toMatch(
    /'archiveAfterDays' \(10\) is below 'staleAfterDays' \(30\)/,
  )
  expect(check({ staleAfterDays: 30, archiveAfterDays: 30 }).warnings).toEqual([])
})

it('refuses values that are not numbers of days, and unknown words', () => {
  const bad: readonly Readonly<Record<string, unknown>>[] = [
    { staleAfterDays: '10' },
    { staleAfterDays: Number.NaN },
    { archiveAfterDays: null },
    { archiveAfterDays: 'soon' },
    { neverActive: 'created-at' },
    { countBy: 'weeks' },
  ]
  for (const options of bad) expect(checkAgeing(options), JSON.stringify(options)).toMatchObject({ ok: false, error: { code: 'invalid' } })
})

it('doubles the windows with each return from the archive, up to four times', () => {
  expect([0, 1, 2, 3, 9].map((misjudgements) => windowFactor({ misjudgements }))).toEqual([1, 2, 4, 4, 4])
  expect(cutoffsAt(NOW, check(), 2, [])).toEqual({ stale: NOW - 60 * DAY, archive: NOW - 180 * DAY })
})

it('takes what came back twice out of merging', () => {
  expect([0, 1, 2, 3].map((misjudgements) => isExemptFromMerging({ misjudgements }))).toEqual([false, false, true, true])
})

it('counts by the days on which the agent was used', () => {
  const ageing = check({ staleAfterDays: 2, archiveAfterDays: 4, countBy: 'active-days' })
  const days = ['2026-01-01', '2026-01-02', '2026-05-31']
  const { stale, archive } = cutoffsAt(NOW, ageing, 1, days)
  expect(stale).toBeLessThan(Date.parse('2026-01-02T00:00:00Z'))
  expect(stale).toBeGreaterThanOrEqual(Date.parse('2026-01-01T23:59:59.999Z'))
  expect(archive).toBe(Number.NEGATIVE_INFINITY)
})
