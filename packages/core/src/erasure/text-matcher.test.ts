import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { rounds } from '../../../../scripts/support/rounds.ts'
import { cpuMs } from '../../test/support/cpu-time.ts'
import { turnsDuring } from '../../test/support/longest-hold.ts'
import { encodeFacts } from '../memory/facts.ts'
import { type ArchivedEntry, archivedEntryId, encodeArchived } from '../memory/memory-archive.ts'
import { inMemoryBackend } from '../storage/in-memory.ts'
import { readDocument, updateDocument } from '../storage/one-document.ts'
import { FACTS_PATH, MEMORY_ARCHIVE_PATH } from '../storage/storage-paths.ts'
import { DocumentEraser } from './erase-documents.ts'
import { createMatcher, someChunk } from './text-matcher.ts'

describe('createMatcher', () => {
  it.each([
    ['another case', 'Lisbon', 'moves to LISBON soon'],
    ['another Unicode form', 'Zürich', 'in zu\u0308rich'],
    ['other white space', 'Calle Mayor 5', 'Calle\n  Mayor\t5'],
    ['a word joiner inside', 'password', 'pass\u2060word'],
    ['a soft hyphen inside', 'password', 'pass\u00adword'],
    ['a sigma at the end of a word', 'ΟΔΟΣ', 'η οδος και οδοσα'],
    ['a sharp s in capitals', 'Straße', 'STRASSE 1'],
    ['wide letters', 'ABC', 'the ａｂｃ'],
    ['half-width letters', 'ガス会社', 'の ｶﾞｽ会社 と'],
    ['Hangul in single letters', '가나다라', 'x ㄱㅏㄴㅏㄷㅏㄹㅏ x'],
    ['a mark kept apart by a joiner', 'Zürich', 'in zu\u200d\u0308rich'],
    ['escapes of JSON', 'say "hi"\n\tto Zürich 🦓', JSON.stringify({ a: 'say "hi" to Zürich 🦓' })],
    ['escaped letters', 'say "hi" to Zürich 🦓', '{"a":"say \\"hi\\"\\nto Z\\u00fcrich \\ud83e\\udd93"}'],
    ['escaped letters of YAML', 'Zürich 🦓', 'at: "Z\\xFCrich \\U0001F993"'],
    ['JSON inside JSON', 'say "hi" to Zürich', JSON.stringify({ a: JSON.stringify({ b: 'say "hi" to Zürich' }) })],
    ['an emoji', '🦓🦓🦓', 'a 🦓🦓🦓!'],
  ])('finds and cuts a text in %s', (_, needle, text) => {
    const { matches, cut, mayHold } = createMatcher([needle])
    expect([matches(text), mayHold(text)]).toEqual([true, true])
    expect(cut(text)).toContain('(erased)')
    expect(matches(cut(text))).toBe(false)
  })

  it('leaves the rest of a text to the letter', () => {
    expect(createMatcher(['mayor 5']).cut('Né à\r\nCalle  Mayor\n5 —  ça')).toBe('Né à\r\nCalle  (erased) —  ça')
    expect(createMatcher(['ab', 'bc']).cut('xabcx abx')).toBe('x(erased)x (erased)x')
  })

  it('cuts JSON so that it stays JSON', () => {
    const { cut } = createMatcher(['say "hi" to Zürich'])
    const text = String.raw`{"a":"I say \"hi\"\nto Z\u00fcrich.","b":"{\"c\":\"say \\\"hi\\\" to Z\\u00fcrich\"}"}`
    expect(JSON.parse(cut(text))).toEqual({ a: 'I (erased).', b: '{"c":"(erased)"}' })
  })

  it('passes over a longer text with a backslash in it', () => {
    const { matches } = createMatcher(['uses pnpm'], [String.raw`In C:\new he uses pnpm`])
    expect(matches(String.raw`In C:\new he uses pnpm`)).toBe(false)
  })

  it('never takes the mark of what was erased for a text', () => {
    const { matches, cut } = createMatcher(['erased'])
    expect(matches('It is (erased) now.')).toBe(false)
    expect(cut('It is (erased), and erased.')).toBe('It is (erased), and (erased).')
  })

  it('cuts a long text in linear time, however often it holds the text', () => {
    const { cut } = createMatcher(['Calle Mayor 5'])
    const start = cpuMs()
    expect(cut('Calle Mayor 5 \u00dc '.repeat(rounds(30_000)))).toBe('(erased) \u00dc '.repeat(rounds(30_000)))
    expect(cut(`${'x y \u00dc '.repeat(rounds(100_000))}Calle Mayor 5`)).toMatch(/\(erased\)$/)
    expect(cpuMs() - start).toBeLessThan(rounds(4_000))
  })

  it('finds a text that contains the mark', () => {
    const { matches, cut } = createMatcher(['their (erased) card', 'erased'])
    expect(matches('It is their (erased) card.')).toBe(true)
    expect(cut('It is their (erased) card, erased.')).toBe('It is (erased), (erased).')
    expect(matches('It is (erased), (erased).')).toBe(false)
  })

  it('finds every occurrence in a text, and leaves none of it', () => {
    const aText = fc.string({ unit: 'grapheme', maxLength: 30 })
    fc.assert(
      fc.property(aText, fc.string({ unit: 'grapheme', minLength: 3, maxLength: 12 }), aText, (before, needle, after) => {
        const { matches, cut, mayHold } = createMatcher([needle])
        // Invisible characters do not match, and a letter may combine with its neighbour.
        const text = `${before} ${needle} ${after}`
        fc.pre(matches(needle) && matches(text))
        expect(mayHold(text)).toBe(true)
        expect(mayHold(JSON.stringify({ text }, null, 2))).toBe(true)
        expect(matches(cut(text))).toBe(false)
      }),
      { numRuns: rounds(500), seed: 7 },
    )
  })

  it('finds an occurrence across two pieces of a long text', async () => {
    const { mayHold, matches, overlap } = createMatcher(['zebra-4411 at home'])
    for (const at of [524_288 - 18, 524_288 - 9, 524_288 - 1, 524_288]) {
      const text = `${'x'.repeat(at)}zebra-4411 at home${'x'.repeat(600_000)}`
      expect([await someChunk(text, overlap, mayHold), await someChunk(text, overlap, matches)]).toEqual([true, true])
    }
  })
})

const archived = (text: string): ArchivedEntry => ({
  id: archivedEntryId('memory', text),
  target: 'memory',
  text,
  origin: 'user',
  firstSeenAt: 1,
  lastConfirmedAt: 1,
  forgottenAt: 2,
})

const eraseFrom = async (path: string, bytes: Uint8Array, text: string, sessionId?: string) => {
  const storage = inMemoryBackend()
  await updateDocument(storage, path, () => bytes)
  const erasure = { ...createMatcher(text === '' ? [] : [text], []), texts: [text], sessionId }
  const done = await new DocumentEraser(storage, erasure).erase()
  const left = await readDocument(storage, path)
  if (!done.ok || !left.ok) throw new Error('The erasure failed.')
  return { ...done.value, left: left.value && new TextDecoder().decode(left.value.bytes) }
}

it.each([
  ['the archive', MEMORY_ARCHIVE_PATH],
  ['a day of the journal', 'journal/2026-03-01.jsonl'],
])('lets other work run while it rewrites %s', async (_, path) => {
  const entries = Array.from({ length: 3_000 }, (_, index) => archived(`likes green tea of ${index}`))
  const { result, turns } = await turnsDuring(() => eraseFrom(path, encodeArchived(entries), 'green tea'))
  expect(result.left ?? '').toBe('')
  expect(turns).toBeGreaterThan(12)
})

it('removes the copy of damaged facts that holds the text or names the session, and no other', async () => {
  const records = new Map([['likes "green" tea', { origin: 'user' as const, firstSeenAt: 1, lastConfirmedAt: 1, sessionId: 's-7' }]])
  const damaged = new Uint8Array([...encodeFacts({ memory: records, user: new Map() }), ...new TextEncoder().encode('{"target"')])
  const path = `${FACTS_PATH}.damaged-2026-03-01T09-00-00-2`
  const removed = { left: undefined, erased: { memoryCopies: 1 }, remaining: [] }
  expect(await eraseFrom(path, damaged, '"green" tea')).toMatchObject(removed)
  expect(await eraseFrom(path, damaged, '', 's-7')).toMatchObject(removed)
  expect(await eraseFrom(path, damaged, 'black coffee', 's-8')).toMatchObject({
    left: new TextDecoder().decode(damaged),
    erased: { memoryCopies: 0 },
  })
})

it('leaves facts of which nothing is to be erased to the byte, with the lines that later ones replace', async () => {
  const line = new TextDecoder().decode(
    encodeFacts({ memory: new Map([['likes tea', { origin: 'user' as const, firstSeenAt: 1, lastConfirmedAt: 1 }]]), user: new Map() }),
  )
  const bytes = new TextEncoder().encode(line + line)
  expect(await eraseFrom(FACTS_PATH, bytes, 'black coffee')).toMatchObject({ left: line + line, remaining: [] })
})
