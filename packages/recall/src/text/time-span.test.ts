import { beforeAll, expect, it } from 'vitest'
import { learnCalendarWords } from './calendar-words.ts'
import { spokenTime } from './time-span.ts'

/** A Thursday. */
const NOW = Date.UTC(2026, 9, 15, 9)
const HALF_DAY = 43_200_000

const daysOf = (text: string): string | undefined => {
  const spoken = spokenTime(text, NOW)
  const date = (at: number) => new Date(at).toISOString().slice(0, 10)
  return spoken && `${date(spoken.span.after + HALF_DAY)} ${date(spoken.span.before - HALF_DAY)}`
}

beforeAll(() => {
  while (learnCalendarWords());
})

it.each([
  ['What did I say last week?', '2026-10-05 2026-10-12'],
  ['What was it yesterday?', '2026-10-14 2026-10-15'],
  ['3 days ago I said it', '2026-10-12 2026-10-13'],
  ['What about March?', '2026-03-01 2026-04-01'],
  ['in December', '2025-12-01 2026-01-01'],
  ['in May 2024', '2024-05-01 2024-06-01'],
  ['On the 25th of April, what?', '2026-04-25 2026-04-26'],
  ['on January 28', '2026-01-28 2026-01-29'],
  ['on 2026-03-05', '2026-03-05 2026-03-06'],
  ['am 3.2.2026', '2026-02-03 2026-02-04'],
  ['letzte Woche', '2026-10-05 2026-10-12'],
  ['el mes pasado', '2026-09-01 2026-10-01'],
  ['в прошлом месяце', '2026-09-01 2026-10-01'],
  ['先週は何を', '2026-10-05 2026-10-12'],
  ['2026年3月', '2026-03-01 2026-04-01'],
  ['am 5. März', '2026-03-05 2026-03-06'],
])('reads %j', (text, days) => {
  expect(daysOf(text)).toBe(days)
})

it.each([['May I ask something?'], ['You may go.'], ['It costs 2026 euros, 31.31.2026'], ['Version 1.2.3'], ['the 30th of nothing'], ['']])(
  'finds no time in %j',
  (text) => {
    expect(daysOf(text)).toBeUndefined()
  },
)

it('leaves the text without the time', () => {
  expect(spokenTime('garden last week?', NOW)?.rest.replace(/\s+/g, ' ')).toBe('garden ?')
})

it('is quick, and reads no time in a long text', () => {
  expect(spokenTime(`last week ${'x '.repeat(1_000)}`, NOW)).toBeUndefined()
  const began = process.cpuUsage()
  spokenTime('1 '.repeat(499), NOW)
  expect(process.cpuUsage(began).user / 1_000).toBeLessThan(200)
})
