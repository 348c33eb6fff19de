import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { addUse, checkUses, readUsesByDay, USE_DAYS } from './uses-by-day.ts'

const DAY = 86_400_000
const NOW = Date.UTC(2026, 4, 20, 9)

describe('uses by day', () => {
  it('is a short text, the newest day first', () => {
    const text = [NOW, NOW + DAY, NOW + DAY, NOW + 3 * DAY].reduce<string | undefined>(addUse, undefined)
    expect(text).toBe('2026-05-23 1,0,2,1')
    expect(readUsesByDay(text, NOW + 4 * DAY).slice(-6)).toEqual([0, 1, 2, 0, 1, 0])
  })

  it('counts what was used on each of the last 60 days, in whatever order', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 200 }), { maxLength: 100 }), (days) => {
        const text = days.reduce<string | undefined>((uses, day) => addUse(uses, NOW + day * DAY), undefined)
        const newest = Math.max(0, ...days)
        const expected = Array.from({ length: USE_DAYS }, (_, index) => {
          const day = newest - USE_DAYS + 1 + index
          // A use that came when it was already too old was never counted.
          return days.filter((each, at) => each === day && Math.max(...days.slice(0, at + 1)) - each < USE_DAYS).length
        })
        expect(readUsesByDay(text, NOW + newest * DAY)).toEqual(expected)
        expect(text?.length ?? 0).toBeLessThan(11 + USE_DAYS * 4)
      }),
      { seed: 7 },
    )
  })

  it.each([undefined, null, 7, '', '2026-13-40 1', '2026-05-20', '2026-05-20 -1', `2026-05-20 ${'1,'.repeat(60)}1`])(
    'starts anew instead of %j',
    (stored) => {
      expect(checkUses(stored)).toBeUndefined()
      expect(addUse(checkUses(stored), NOW)).toBe('2026-05-20 1')
      expect(readUsesByDay(checkUses(stored), NOW)).toEqual(Array.from({ length: USE_DAYS }, () => 0))
    },
  )

  it.each([1e300, -1e300, Number.NaN, 8.64e15])('counts nothing at the impossible time %d', (at) => {
    expect(addUse('2026-05-20 1', at)).toBe('2026-05-20 1')
    expect(addUse(undefined, at)).toBeUndefined()
  })
})
