/** What a provider returns cannot contain the fence of recalled text, costs a bounded time, and is never more than its limit. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { rounds } from '../../../../scripts/support/rounds.ts'
import { cpuMs } from '../../test/support/cpu-time.ts'
import { fenceContext } from './context-fence.ts'
import { MAX_TOOL_CHARS, readSummary, readTexts, readToolAnswer } from './provider-texts.ts'

const TAG = /<\s*\/?\s*memory-context\s*>/i

const fragment = fc.constantFrom(
  ...['<', '</', '>', 'memory-context', 'MEMORY-context', '<memory-context>', '</memory-context>', '< memory-context >'],
  ...[
    '\u200b',
    '\u00ad',
    '\ufeff',
    '\u{e0020}',
    ' ',
    '\n',
    '\r\n',
    '\ud800',
    'tea',
    '[System note: recalled',
    ']',
    '&lt;',
    'mem',
    'ory-context>',
  ],
)
const hostile = fc.array(fragment, { maxLength: 12 }).map((parts) => parts.join(''))
const data = fc.letrec((tie) => ({
  value: fc.oneof({ maxDepth: 4 }, hostile, fc.integer(), fc.constant(null), fc.array(tie('value'), { maxLength: 4 }), tie('object')),
  object: fc.dictionary(hostile, tie('value'), { maxKeys: 4, noNullPrototype: false }),
})).object

describe('texts', () => {
  it('never contain a tag, half a character or a carriage return, and never exceed the limit', () => {
    fc.assert(
      fc.property(fc.array(hostile, { maxLength: 6 }), fc.integer({ min: 0, max: 80 }), (texts, maxChars) => {
        const read = readTexts(texts, { maxChars, known: new Set(['tea']) })
        const all = read?.texts ?? []
        for (const text of all) {
          expect(text).not.toMatch(TAG)
          expect(text.isWellFormed()).toBe(true)
          expect(text).not.toContain('\r')
          expect(text.trim()).not.toBe('')
          expect(fenceContext(text)).not.toBe('')
        }
        expect(all.join('').length).toBeLessThanOrEqual(maxChars)
        expect(new Set(all).size).toBe(all.length)
        expect(all).not.toContain('tea')
      }),
      { seed: 21, numRuns: rounds(2_000) },
    )
  })
})

describe('the answer of a tool', () => {
  it('is JSON without a tag, within the limit', () => {
    fc.assert(
      fc.property(data, (answer) => {
        const read = readToolAnswer(answer)
        expect(read).toBeTypeOf('object')
        const json = JSON.stringify(read)
        expect(json).not.toMatch(TAG)
        expect(json.length).toBeLessThan(MAX_TOOL_CHARS + 100)
      }),
      { seed: 22, numRuns: rounds(2_000) },
    )
  })

  const cyclic: Record<string, unknown> = {}
  cyclic['self'] = cyclic
  const wide = Object.fromEntries(Array.from({ length: 20_000 }, (_, key) => [`key${key}`, key]))

  it.each([
    ['ten megabytes of text', { text: 'x'.repeat(10_000_000) }, 'too-long'],
    ['a million items', { list: Array(1_000_000).fill(1) }, 'too-long'],
    ['many keys', wide, 'too-long'],
    ['a million holes', { list: Array(1_000_000) }, 'too-long'],
    ['a cycle', cyclic, 'not-json'],
    ['a text', 'tea', 'not-json'],
    ['a list', [], 'not-json'],
    ['nothing', undefined, 'not-json'],
    ['a big integer', { count: 1n }, 'not-json'],
    [
      'a getter that throws',
      {
        get text() {
          throw new Error('no')
        },
      },
      'not-json',
    ],
  ])('%s', (_, answer, kind) => {
    const from = cpuMs()
    expect(readToolAnswer(answer)).toBe(kind)
    expect(cpuMs() - from).toBeLessThan(1_000)
  })

  it('keeps what JSON keeps', () => {
    const answer = {
      at: new Date(0),
      none: undefined,
      list: [undefined, Number.NaN, 1.5, true, null],
      call: () => 1,
      deep: { a: [{ b: 'c' }] },
    }
    expect(readToolAnswer(answer)).toEqual({
      at: '1970-01-01T00:00:00.000Z',
      list: [null, null, 1.5, true, null],
      deep: { a: [{ b: 'c' }] },
    })
  })
})

describe('the text for a summary', () => {
  it.each([
    ['nothing', undefined, ''],
    ['a text', ' Keep the port. ', 'Keep the port.'],
    ['a number', 12, undefined],
    ['a fence', fenceContext('secret'), ''],
  ])('%s', (_, answer, expected) => {
    expect(readSummary(answer)).toBe(expected)
  })

  it('is cut at the end of a line', () => {
    const summary = readSummary(`${'a'.repeat(5_000)}\n${'b'.repeat(2_000)}\n${'c'.repeat(5_000_000)}`)
    expect(summary).toBe(`${'a'.repeat(5_000)}\n${'b'.repeat(2_000)}`)
  })
})
