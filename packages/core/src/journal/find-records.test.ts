import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { rounds } from '../../../../scripts/support/rounds.ts'
import { codePoint } from '../../test/support/code-point.ts'
import { inMemoryBackend } from '../storage/in-memory.ts'
import { updateDocument } from '../storage/one-document.ts'
import { toLineFilter } from './find-records.ts'
import { createJournal } from './journal.ts'
import { dayOf, journalPath } from './journal-days.ts'
import type { JournalRecord } from './journal-record.ts'

const recordWith = (content: string): JournalRecord => ({
  id: 'r',
  at: 1,
  actor: 'host',
  kind: 'applied',
  reason: '',
  op: { action: 'add', content },
})

describe('the quick test of a line', () => {
  it('never denies a text that its record holds, in any case', () => {
    fc.assert(
      fc.property(fc.string({ unit: codePoint, maxLength: 60 }), fc.nat(), fc.integer({ min: 1, max: 20 }), (text, from, length) => {
        const folded = [...text.toLowerCase()]
        const start = from % (folded.length + 1)
        const piece = folded.slice(start, start + length).join('')
        const { mayMatch, matches } = toLineFilter({ text: piece })
        expect(matches(recordWith(text))).toBe(true)
        expect(mayMatch(`{}\n${JSON.stringify(recordWith(text))}\n{}`)).toBe(true)
      }),
      { numRuns: rounds(500), seed: 14 },
    )
  })

  it.each([
    ['İstanbul', 'i̇stanbul'],
    ['İstanbul', '̇s'],
    ['xİ', 'xi'],
    ['ΟΔΟΣ', 'οδος'],
    ['ΟΔΟΣ', 'οδοσ'],
    ['300 K', '300 k'],
    ['a\\b/c.*d\n"e"', 'a\\b/c.*d\n"e"'],
  ])('finds in %s the text %s, if the record matches', (content, text) => {
    const { mayMatch, matches } = toLineFilter({ text })
    const line = JSON.stringify(recordWith(content))
    expect(mayMatch(line)).toBe(true)
    expect(matches(recordWith(content))).toBe(content.toLowerCase().includes(text.toLowerCase()))
  })

  it('denies what no text of the line holds', () => {
    expect(toLineFilter({ text: 'zeppelin' }).mayMatch(JSON.stringify(recordWith('a zep of pelin')))).toBe(false)
    expect(toLineFilter({ text: 'a.c' }).mayMatch(JSON.stringify(recordWith('abc')))).toBe(false)
    expect(toLineFilter({ sessionId: 's1' }).mayMatch(JSON.stringify(recordWith('s1 is no session')))).toBe(false)
  })
})

describe('a search', () => {
  const DAYS = 10
  const filled = async (perDay: number, padding = '') => {
    const storage = inMemoryBackend()
    for (let day = 0; day < DAYS; day++) {
      const at = Date.UTC(2026, 0, 1 + day)
      const lineOf = (_: unknown, nth: number) =>
        `${JSON.stringify({ ...recordWith(`Fact ${nth} of day ${day}`), at, rationale: padding })}\n`
      const bytes = new TextEncoder().encode(Array.from({ length: perDay }, lineOf).join(''))
      await updateDocument(storage, journalPath(dayOf(at)), () => bytes)
    }
    return createJournal({ storage, clock: () => 0, createId: () => '' })
  }

  it('finds the newest of a limit over blocks and days, in order', async () => {
    const journal = await filled(600)
    const found = await journal.list({ text: 'FACT 17', limit: 25 })
    const contents = found.ok ? found.value.map(({ op }) => op && 'content' in op && op.content) : []
    const ofDay = (day: number) => ['17', ...Array.from({ length: 10 }, (_, nth) => `17${nth}`)].map((nth) => `Fact ${nth} of day ${day}`)
    expect(contents).toEqual([...ofDay(7).slice(-3), ...ofDay(8), ...ofDay(9)])
  })

  it('lets other work run, however much there is to read', async () => {
    const journal = await filled(2_000, 'said '.repeat(200))
    let turns = 0
    let isDone = false
    const watch = (): void => {
      turns++
      if (!isDone) setImmediate(watch)
    }
    setImmediate(watch)
    await journal.list({ text: 'nothing holds this' })
    const skipping = turns
    await journal.list()
    isDone = true
    expect(skipping).toBeGreaterThan(6)
    expect(turns - skipping).toBeGreaterThan(30)
  })
})
