import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readStoredRecord } from '../usage/stored-record.ts'
import { encodeSidecar } from '../usage/usage-sidecar.ts'
import { mergeUsage, planUsage } from './plan-rollback.ts'

const time = fc.option(
  fc.date({ min: new Date(0), max: new Date('2030-01-01'), noInvalidDate: true }).map((date) => date.toISOString()),
  { nil: null },
)
const stored = fc.record(
  {
    created_by: fc.constantFrom('agent', null, 'installed'),
    state: fc.constantFrom('active', 'stale', 'archived'),
    pinned: fc.boolean(),
    use_count: fc.nat(5),
    view_count: fc.nat(5),
    last_used_at: time,
    archived_at: time,
    created_at: time,
    sync: fc.string(),
  },
  { requiredKeys: [] },
)
const sidecar = fc
  .dictionary(fc.constantFrom('a', 'b', 'c'), fc.oneof(stored, fc.constant('no record')))
  .map((map) => new Map(Object.entries(map)))

const textOf = (map: ReadonlyMap<string, unknown>): string => new TextDecoder().decode(encodeSidecar(map))

const meaningOf = (map: ReadonlyMap<string, unknown>): ReadonlyMap<string, unknown> =>
  new Map([...map].map(([name, record]) => [name, readStoredRecord(record) ?? record]))

describe('the usage in the backup and now', () => {
  it('loses no record, no count, no pin and no unknown field, and takes the state from the backup', () => {
    const then = new Map<string, unknown>([
      ['deploy', { state: 'active', pinned: false, created_by: 'agent', use_count: 3, last_used_at: '2026-05-01T00:00:00+00:00', old: 1 }],
      ['gone', { state: 'stale', use_count: 1 }],
    ])
    const now = new Map<string, unknown>([
      [
        'deploy',
        {
          state: 'archived',
          archived_at: '2026-05-09T00:00:00+00:00',
          pinned: true,
          created_by: null,
          use_count: 5,
          last_used_at: '2026-05-08T00:00:00+00:00',
          misjudgements: 2,
          new: 2,
        },
      ],
      ['fresh', { state: 'active', use_count: 7 }],
    ])
    expect(JSON.parse(textOf(mergeUsage(then, now)))).toMatchObject({
      deploy: {
        state: 'active',
        archived_at: null,
        pinned: true,
        created_by: 'agent',
        use_count: 5,
        last_used_at: '2026-05-08T00:00:00+00:00',
        misjudgements: 2,
        old: 1,
        new: 2,
      },
      gone: { state: 'stale', use_count: 1 },
      fresh: { state: 'active', use_count: 7 },
    })
  })

  const COUNTS = ['use_count', 'view_count', 'patch_count', 'patch_generation', 'last_reused_patch_generation']
  const OWN_COUNTS = ['misjudgements', 'success_count', 'correction_count']
  const TIMES = ['last_used_at', 'last_viewed_at', 'last_patched_at', 'restored_at']
  const merged = (then: unknown, now: unknown) =>
    JSON.parse(textOf(mergeUsage(new Map([['deploy', then]]), new Map([['deploy', now]])))).deploy
  const all = (keys: readonly string[], value: unknown) => Object.fromEntries(keys.map((key) => [key, value]))

  it('keeps the higher of two counts and the later of two times, whichever side has it', () => {
    const low = { ...all([...COUNTS, ...OWN_COUNTS], 1), ...all(TIMES, '2026-05-01T00:00:00+00:00') }
    const high = { ...all([...COUNTS, ...OWN_COUNTS], 2), ...all(TIMES, '2026-05-02T00:00:00+00:00') }
    expect(merged(low, high)).toMatchObject(high)
    expect(merged(high, low)).toMatchObject(high)
  })

  it('takes any time for later than none, and keeps the time of creation of the backup if it knows one', () => {
    const old = all([...TIMES, 'created_at'], '1960-01-01T00:00:00+00:00')
    const never = all([...TIMES, 'created_at'], null)
    expect(merged(old, never)).toMatchObject(old)
    expect(merged(never, old)).toMatchObject(old)
    expect(merged(old, { created_at: '2026-05-02T00:00:00+00:00' })).toMatchObject({ created_at: '1960-01-01T00:00:00+00:00' })
  })

  it('keeps what is there now of a record that the backup did not understand', () => {
    expect(merged('then', 'now')).toBe('now')
    expect(merged('then', { use_count: 1 })).toMatchObject({ use_count: 1 })
    expect(merged({ use_count: 1 }, 'now')).toMatchObject({ use_count: 1 })
  })

  it('merged twice are as merged once', () => {
    fc.assert(
      fc.property(sidecar, sidecar, (then, now) => {
        const once = mergeUsage(then, now)
        expect(meaningOf(mergeUsage(then, once))).toEqual(meaningOf(once))
      }),
      { seed: 4 },
    )
  })
})

it('leaves out a corrupt sidecar of the backup, and says why', () => {
  const now = { bytes: new TextEncoder().encode('{"deploy":{"use_count":1}}') }
  expect(planUsage(now, new TextEncoder().encode('{'), new Set(), 0)).toMatchObject({
    bytes: undefined,
    problem: { code: 'unreadable', cause: { code: 'unreadable' } },
  })
})
