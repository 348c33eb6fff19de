import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { formatPythonTime, parsePythonTime } from './python-time.ts'

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
