import { manualClock } from '@hermes/testing'
import { expect, it } from 'vitest'
import { openCurator } from '../../test/support/open-curator.ts'
import { inMemoryBackend } from '../storage/in-memory.ts'
import { readDocument, updateDocument } from '../storage/one-document.ts'
import { UsageStore } from '../usage/usage-store.ts'
import { ACTIVE_DAYS_PATH, readActiveDays, recordActivity } from './active-days.ts'
import { checkAgeing, cutoffsAt, isExemptFromMerging, windowFactor } from './age.ts'
import { ACTIVITY_GRAIN_MS, AGEING_PRESETS, type AgeingOptions } from './curator-options.ts'
import { checkSchedule, isCuratorDue, measureIdle } from './schedule.ts'
import { CURATOR_STATE_PATH, readCuratorState, updateCuratorState } from './state.ts'

const NOON = Date.UTC(2026, 5, 1, 12)

const openWith = async (content?: string | Uint8Array) => {
  const storage = inMemoryBackend()
  if (content !== undefined) {
    await updateDocument(storage, CURATOR_STATE_PATH, () => (typeof content === 'string' ? new TextEncoder().encode(content) : content))
  }
  const text = async (path = CURATOR_STATE_PATH) => {
    const read = await readDocument(storage, path)
    return read.ok && read.value ? new TextDecoder().decode(read.value.bytes) : undefined
  }
  return { storage, text }
}

it('reads what Python Hermes wrote, and writes what it reads, other keys included', async () => {
  const stored = {
    last_run_at: '2026-05-25T12:00:00.000001+00:00',
    last_run_duration_seconds: 1.0,
    last_run_summary: 'auto: no changes',
    last_run_summary_shown_at: '2026-05-26T08:00:00+00:00',
    last_report_path: '/home/a/.hermes/logs/curator/20260525-120000',
    paused: false,
    run_count: 3,
    _later: { x: 1 },
  }
  const { storage, text } = await openWith(
    JSON.stringify(stored).replace('"last_run_duration_seconds":1', '"last_run_duration_seconds":1.0'),
  )
  const read = await readCuratorState(storage)
  expect(read).toMatchObject({
    ok: true,
    value: { state: { lastRunDurationSeconds: 1, lastRunSummary: 'auto: no changes', paused: false, runCount: 3 } },
  })
  expect(read.ok && read.value.state.lastRunAt).toBeCloseTo(NOON - 7 * 86_400_000 + 0.001, 3)
  await updateCuratorState(storage, ({ runCount }) => ({ runCount: runCount + 1 }))
  const written = (await text()) ?? ''
  expect(JSON.parse(written)).toEqual({ ...stored, run_count: 4 })
  expect(written).toContain('"last_run_duration_seconds": 1.0')
  expect(Object.keys(JSON.parse(written))).toEqual(Object.keys(stored).sort())
})

it('takes a doubtful pause for a pause, and an unreadable time for none', async () => {
  const { storage } = await openWith('{"paused":"false","last_run_at":1700000000,"run_count":"3"}')
  expect(await readCuratorState(storage)).toMatchObject({ ok: true, value: { state: { paused: true, lastRunAt: undefined, runCount: 0 } } })
})

it('forgets the time of a retry altogether once it is over', async () => {
  const { storage, text } = await openWith()
  await updateCuratorState(storage, () => ({ retryAt: NOON }))
  expect(JSON.parse((await text()) ?? '')).toMatchObject({ _retry_at: '2026-06-01T12:00:00+00:00' })
  await updateCuratorState(storage, () => ({ retryAt: undefined }))
  expect(JSON.parse((await text()) ?? '')).not.toHaveProperty('_retry_at')
})

it('keeps a corrupt state aside, once, before it gives way', async () => {
  for (const corrupt of ['{oops', '[]', new Uint8Array([0x7b, 0xff])]) {
    const { storage, text } = await openWith(corrupt)
    expect(await readCuratorState(storage)).toMatchObject({
      ok: true,
      value: { state: { lastRunAt: undefined }, problem: { code: 'unreadable' } },
    })
    const updated = await updateCuratorState(storage, () => ({ lastRunAt: NOON }))
    expect(updated).toMatchObject({ ok: true, value: { changed: true, problem: { code: 'unreadable' } } })
    expect(JSON.parse((await text()) ?? '')).toMatchObject({ last_run_at: '2026-06-01T12:00:00+00:00' })
    const listed = await storage.list('skills')
    const aside = listed.ok ? listed.value.filter(({ path }) => path.includes('corrupt')) : []
    expect(aside).toHaveLength(1)
    const kept = await readDocument(storage, aside[0]?.path ?? '')
    expect(kept.ok && kept.value?.bytes).toEqual(typeof corrupt === 'string' ? new TextEncoder().encode(corrupt) : corrupt)
  }
})

it('pauses and resumes, and writes nothing if nothing changes', async () => {
  const { storage, text } = await openWith()
  const curator = openCurator({ storage, clock: () => NOON })
  expect(await curator.resume()).toMatchObject({ ok: true, value: { changed: false } })
  expect(await text()).toBeUndefined()
  expect(await curator.pause()).toMatchObject({ ok: true, value: { changed: true, state: { paused: true } } })
  expect(await curator.pause()).toMatchObject({ ok: true, value: { changed: false } })
  expect(await curator.resume()).toMatchObject({ ok: true, value: { changed: true, state: { paused: false } } })
})

it('stores which run asks a model at present, and forgets it', async () => {
  const { storage } = await openWith()
  for (const merging of [{ until: NOON, process: 'a-1', pid: 7, host: 'abc' }, { until: NOON, process: 'a-1' }, undefined]) {
    await updateCuratorState(storage, () => ({ merging }))
    expect(await readCuratorState(storage)).toMatchObject({ ok: true, value: { state: { merging } } })
  }
})

const NOW = Date.UTC(2026, 5, 1, 12)
const HOUR = 3_600_000
const state = { paused: false, lastRunAt: NOW - 168 * HOUR, retryAt: undefined }
const idle = { now: NOW, idleMs: 2 * HOUR }

it('is due after a week, once the host has been idle for two hours', () => {
  expect(isCuratorDue(state, idle)).toEqual({ due: true })
  expect(isCuratorDue({ ...state, lastRunAt: state.lastRunAt + 0.001 }, idle)).toEqual({
    due: false,
    reason: 'interval',
    nextAt: NOW + 0.001,
  })
  expect(isCuratorDue(state, { now: NOW, idleMs: 2 * HOUR - 1 })).toEqual({ due: false, reason: 'not-idle' })
})

it('refuses to guess whether the host is idle', () => {
  for (const idleMs of [undefined, Number.NaN])
    expect(isCuratorDue(state, { now: NOW, idleMs })).toEqual({ due: false, reason: 'idle-unknown' })
})

it('defers the first run, also after a last run that is in the future', () => {
  for (const lastRunAt of [undefined, NOW + 1]) {
    expect(isCuratorDue({ ...state, lastRunAt }, idle)).toEqual({ due: false, reason: 'first-sight' })
  }
})

it('stays still while it is switched off or paused, before anything else', () => {
  expect(isCuratorDue({ ...state, lastRunAt: undefined }, idle, { enabled: false })).toEqual({ due: false, reason: 'disabled' })
  expect(isCuratorDue({ ...state, lastRunAt: undefined, paused: true }, idle)).toEqual({ due: false, reason: 'paused' })
})

it('tries a run again that did not end well, without waiting for the interval', () => {
  const failed = { ...state, lastRunAt: NOW - 2 * HOUR, retryAt: NOW - HOUR }
  expect(isCuratorDue(failed, idle)).toEqual({ due: true })
  expect(isCuratorDue({ ...failed, retryAt: NOW + HOUR }, idle)).toEqual({ due: false, reason: 'interval', nextAt: NOW + HOUR })
})

it('takes hours for hours only if they are a number', () => {
  expect(checkSchedule({ intervalHours: 0, minIdleHours: Number.POSITIVE_INFINITY }).ok).toBe(true)
  expect(checkSchedule({ intervalHours: Number.NaN })).toMatchObject({ ok: false, error: { code: 'invalid' } })
  // @ts-expect-error: as a caller without types would
  expect(checkSchedule({ minIdleHours: '2' })).toMatchObject({ ok: false, error: { message: expect.stringContaining('minIdleHours') } })
})

const DAY = 86_400_000

it('keeps each day once, in order, and writes once a day', async () => {
  const storage = inMemoryBackend()
  const clock = manualClock(Date.UTC(2026, 5, 1, 23, 59))
  const version = async () => {
    const listed = await storage.list('')
    return listed.ok ? listed.value.find(({ path }) => path === ACTIVE_DAYS_PATH)?.stamp : undefined
  }
  expect(await readActiveDays(storage)).toEqual({ ok: true, value: [] })
  await recordActivity(storage, clock)
  const first = await version()
  await Promise.all(Array.from({ length: 5 }, () => recordActivity(storage, clock)))
  expect(await version()).toBe(first)
  clock.advance(60_000)
  await recordActivity(storage, clock)
  await recordActivity(storage, () => Date.UTC(2025, 11, 31))
  expect(await readActiveDays(storage)).toEqual({ ok: true, value: ['2025-12-31', '2026-06-01', '2026-06-02'] })
})

it('refuses a corrupt list and leaves it as it is', async () => {
  const storage = inMemoryBackend()
  await updateDocument(storage, ACTIVE_DAYS_PATH, () => new TextEncoder().encode('{"days":["yesterday"]}'))
  expect(await readActiveDays(storage)).toMatchObject({ ok: false, error: { code: 'unreadable' } })
  expect(await recordActivity(storage, () => 0)).toMatchObject({ ok: false, error: { code: 'unreadable' } })
})

const measure = async (signs: { readonly lastStepAt?: number; readonly recordedAt?: number; readonly usedAt?: number }) => {
  const storage = inMemoryBackend()
  const { lastStepAt, recordedAt, usedAt } = signs
  if (recordedAt !== undefined) await recordActivity(storage, () => recordedAt)
  if (usedAt !== undefined) await new UsageStore({ storage, clock: () => usedAt }).record('deploy', 'use')
  const idle = await measureIdle({ storage, usage: new UsageStore({ storage }), activity: { lastStepAt } }, NOW)
  return idle.ok ? idle.value : idle.error.code
}

it('takes the newest sign of life there is', async () => {
  expect(await measure({})).toBeUndefined()
  expect(await measure({ lastStepAt: NOW - 3 * HOUR })).toBe(3 * HOUR)
  expect(await measure({ usedAt: NOW - 3 * HOUR })).toBe(3 * HOUR)
  expect(await measure({ lastStepAt: NOW - 3 * HOUR, recordedAt: NOW - 5 * HOUR, usedAt: NOW - 4 * HOUR })).toBe(3 * HOUR)
  expect(await measure({ lastStepAt: NOW - 9 * HOUR, recordedAt: NOW - 5 * HOUR, usedAt: NOW - 6 * HOUR })).toBe(
    5 * HOUR - ACTIVITY_GRAIN_MS,
  )
})

it('is never negative, and ignores times in the future', async () => {
  expect(await measure({ recordedAt: NOW - 1 })).toBe(0)
  expect(await measure({ recordedAt: NOW + HOUR, usedAt: NOW - 3 * HOUR, lastStepAt: NOW + 1 })).toBe(3 * HOUR)
  expect(await measure({ recordedAt: NOW + HOUR })).toBeUndefined()
})

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
