import { expect, it } from 'vitest'
import { checkSchedule, isCuratorDue } from './schedule.ts'

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
