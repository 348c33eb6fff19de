import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parsePythonJson, toPythonJson } from './python-json.ts'
import { formatPythonTime, parsePythonTime } from './python-time.ts'
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

it('writes what Python writes: sorted by code point, non-ASCII kept, no final newline', () => {
  const data = new Map<string, unknown>([
    ['🚀', {}],
    ['\uffee', []],
    ['10', { b: [1, 'é\n"'], a: null }],
    ['9', true],
    ['__proto__', {}],
  ])
  expect(toPythonJson(data)).toBe(
    '{\n  "10": {\n    "a": null,\n    "b": [\n      1,\n      "é\\n\\""\n    ]\n  },\n  "9": true,\n  "__proto__": {},\n  "\uffee": [],\n  "🚀": {}\n}',
  )
})

it('keeps numbers as they are written, and the key __proto__ as a key', () => {
  const text = '{\n  "__proto__": {\n    "a": 1.0,\n    "b": 12345678901234567890,\n    "c": 1e5,\n    "d": 7\n  }\n}'
  expect(toPythonJson(parsePythonJson(text))).toBe(text)
})

it.each(['1.0', '-0', '1e5', '-1E-5', '12345678901234567890'])('keeps %s in every place if a number is allowed', (number) => {
  for (const text of [`{"a":${number}}`, `{"a" : ${number}}`, `{"a": [${number}]}`, `{"a": [1,\n ${number}]}`, `{"a": [[], ${number}]}`]) {
    expect(toPythonJson(parsePythonJson(text)), text).toContain(number)
  }
})

it('takes no object of the text for a number, however its keys are spelled', () => {
  const text =
    '{ "a": 1.0, "b": { "number": "2" }, "c": { "\\u006eumber_": "}, 3" }, "d": "1.0 \\" 2.0", "e": [1e3, -0, 12345678901234567890] }'
  const written = toPythonJson(parsePythonJson(text))
  expect(written).toContain('"a": 1.0')
  expect(written).toContain('12345678901234567890')
  expect(JSON.parse(written)).toEqual(JSON.parse(text))
})

const NOON = Date.UTC(2026, 4, 2, 12)

describe('parsePythonTime', () => {
  it('reads every form that Python reads', () => {
    const forms = [
      '2026-05-02T12:00:00+00:00',
      '2026-05-02 12:00Z',
      '2026-05-02T12',
      '20260502T120000',
      '2026-W18-6T12:00',
      '2026-05-02T21:00:00+09:00',
    ]
    for (const form of [...forms, '2026-05-02T12:00:30+00:00:30', '2026-05-02T06:30:00-0530', '2026-05-02T12:00:00,000000900Z']) {
      expect(parsePythonTime(form), form).toBe(NOON)
    }
    expect(parsePythonTime('2026-05-02')).toBe(Date.UTC(2026, 4, 2))
    expect(parsePythonTime('0001-01-01T00:00:00Z')).toBe(-62_135_596_800_000)
    expect(parsePythonTime('2026-05-02T12:00:00.000001Z')).toBeGreaterThan(NOON)
    expect(parsePythonTime('2026-05-02T12:00:00.5')).toBe(NOON + 500)
  })

  it('ignores what Python cannot read either', () => {
    const texts = [
      '',
      'soon',
      '2026-02-30T00:00:00Z',
      '2026-05-02T00:00:00z',
      '2026-05-02T00:00:00Z ',
      '1700000000',
      '2026-05-02T24:00:00',
      '2026-W54-1',
    ]
    for (const value of [...texts, '0000-01-01', '2026-05-02T12:00:00+24:00', '2026-05-02T', 1_700_000_000, null, false, {}]) {
      expect(parsePythonTime(value), String(value)).toBeUndefined()
    }
  })
})

describe('formatPythonTime', () => {
  it('writes microseconds and the zone, and no fraction for a whole second', () => {
    expect(formatPythonTime(NOON + 250)).toBe('2026-05-02T12:00:00.250000+00:00')
    expect(formatPythonTime(NOON)).toBe('2026-05-02T12:00:00+00:00')
    expect(formatPythonTime(-1)).toBe('1969-12-31T23:59:59.999000+00:00')
  })

  it('is read back to the microsecond', () => {
    fc.assert(
      fc.property(fc.integer({ min: -2e15, max: 4e15 }), (micros) => {
        const text = formatPythonTime(micros / 1000)
        expect(formatPythonTime(parsePythonTime(text) ?? Number.NaN)).toBe(text)
        expect(Math.round((parsePythonTime(text) ?? Number.NaN) * 1000)).toBe(micros)
      }),
      { seed: 7 },
    )
  })
})
