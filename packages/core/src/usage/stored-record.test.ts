import { describe, expect, it } from 'vitest'
import { parsePythonJson } from './python-json.ts'
import { readStoredRecord, writeStoredRecord } from './stored-record.ts'
import { applyUsageEvent, newUsageRecord } from './usage-record.ts'

const AT = Date.UTC(2026, 4, 2, 12)

describe('readStoredRecord', () => {
  it('reads a record of Python Hermes, to the microsecond', () => {
    const stored = {
      created_by: 'agent',
      use_count: 3,
      last_used_at: '2026-05-02T12:00:00.000001+00:00',
      state: 'stale',
      pinned: true,
      patch_generation: 2,
    }
    const record = readStoredRecord(stored)
    expect(record).toMatchObject({
      createdBy: 'agent',
      useCount: 3,
      state: 'stale',
      pinned: true,
      patchGeneration: 2,
      createdAt: 0,
      archivedAt: 0,
    })
    expect(record?.lastUsedAt).toBeGreaterThan(AT)
    expect(record?.lastActivityAt).toBe(record?.lastUsedAt)
  })

  it('takes the newest of use, view and patch by instant; creation is no activity', () => {
    expect(readStoredRecord({ created_at: '2026-05-02T12:00:00Z' })?.lastActivityAt).toBe(0)
    const stored = { last_used_at: '2026-05-03T08:00:00+23:00', last_viewed_at: '2026-05-02T12:00:00Z', last_patched_at: 'soon' }
    expect(readStoredRecord(stored)?.lastActivityAt).toBe(AT)
    expect(readStoredRecord({ last_used_at: '1969-12-31T23:59:59Z' })?.lastActivityAt).toBe(-1000)
  })

  it('counts a field of the wrong type as its default, and a doubtful pin as a pin', () => {
    expect(
      readStoredRecord({ use_count: 'lots', view_count: '3', patch_count: null, last_used_at: 1, created_by: 7, state: 'deprecated' }),
    ).toMatchObject({
      useCount: 0,
      viewCount: 3,
      patchCount: 0,
      lastUsedAt: 0,
      createdBy: null,
      state: 'active',
    })
    for (const pinned of [true, 'false', 1, [0]]) expect(readStoredRecord({ pinned })?.pinned, String(pinned)).toBe(true)
    for (const pinned of [false, null, 0, '', [], {}]) expect(readStoredRecord({ pinned })?.pinned, String(pinned)).toBe(false)
    for (const entry of [null, [], 'agent', 7]) expect(readStoredRecord(entry)).toBeUndefined()
  })

  it('knows the older mark of an agent, which must be true itself', () => {
    expect(readStoredRecord({ agent_created: true, created_by: null })?.createdBy).toBe('agent')
    for (const mark of ['true', 1]) expect(readStoredRecord({ agent_created: mark })?.createdBy).toBeNull()
  })
})

describe('writeStoredRecord', () => {
  it('writes a whole record as Python Hermes does', () => {
    expect(writeStoredRecord(undefined, { ...newUsageRecord(AT, 'agent'), useCount: 1, lastUsedAt: AT + 1 })).toEqual({
      created_by: 'agent',
      use_count: 1,
      last_used_at: '2026-05-02T12:00:00.001000+00:00',
      view_count: 0,
      last_viewed_at: null,
      patch_count: 0,
      last_patched_at: null,
      patch_generation: 0,
      last_reused_patch_generation: 0,
      created_at: '2026-05-02T12:00:00+00:00',
      state: 'active',
      pinned: false,
      archived_at: null,
    })
  })

  it('keeps the uses by day of a record that is written without them, and replaces what is none', () => {
    const record = readStoredRecord({ uses_by_day: 'soon' })
    expect(record).not.toHaveProperty('usesByDay')
    expect(writeStoredRecord({ uses_by_day: '2026-05-20 2' }, newUsageRecord(AT))).toMatchObject({ uses_by_day: '2026-05-20 2' })
    const used = applyUsageEvent(record, 'use', Date.UTC(2026, 4, 21))
    expect(writeStoredRecord({ uses_by_day: 'soon' }, used)).toMatchObject({ uses_by_day: '2026-05-21 1', use_count: 1 })
    expect(readStoredRecord(writeStoredRecord({}, used))).toEqual(used)
    expect(applyUsageEvent(used, 'create', AT)).not.toHaveProperty('usesByDay')
  })

  it('touches only what changes: unknown fields and odd values stay as they were', () => {
    const stored = parsePythonJson(
      '{"use_count": 3.0, "last_used_at": "2026-05-02 12:00Z", "state": "ACTIVE", "sync": {"a": [1.50]}, "agent_created": true}',
    )
    const record = readStoredRecord(stored)
    if (!record) throw new Error('it is a record')
    const written = writeStoredRecord(stored, { ...record, pinned: true })
    expect(written).toMatchObject(stored as object)
    expect(written['pinned']).toBe(true)
    expect(writeStoredRecord(stored, { ...record, createdBy: null })).toMatchObject({ agent_created: false, created_by: null })
  })

  it('writes what Python Hermes does not know only once it is needed', () => {
    const stored = { created_by: 'agent', state: 'active', custom: 1 }
    const record = readStoredRecord(stored)
    if (!record) throw new Error('no record')
    expect(record).toMatchObject({ restoredAt: 0, misjudgements: 0 })
    const kept = writeStoredRecord(stored, record)
    expect(Object.keys(kept)).not.toContain('restored_at')
    expect(Object.keys(kept)).not.toContain('misjudgements')
    const restored = writeStoredRecord(kept, { ...record, restoredAt: AT, misjudgements: 2 })
    expect(restored).toMatchObject({ restored_at: '2026-05-02T12:00:00+00:00', misjudgements: 2, custom: 1 })
    expect(readStoredRecord(restored)).toMatchObject({ restoredAt: AT, misjudgements: 2 })
    expect(writeStoredRecord(restored, record)).toMatchObject({ restored_at: null, misjudgements: 0 })
  })
})
