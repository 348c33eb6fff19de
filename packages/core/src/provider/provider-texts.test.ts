/** What a provider returns cannot contain the fence of recalled text, costs a bounded time, and is never more than its limit. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { rounds } from '../../../../scripts/support/rounds.ts'
import { cpuMs } from '../../test/support/cpu-time.ts'
import { fenceContext, sanitizeContext } from './context-fence.ts'
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

const innerOf = (fenced: string): string => fenced.split('\n').slice(3, -1).join('\n')

describe('fenceContext', () => {
  it('wraps text with a note between the tags', () => {
    const lines = fenceContext('likes tea').split('\n')
    expect(lines).toHaveLength(5)
    expect(lines[0]).toBe('<memory-context>')
    expect(lines[1]).toMatch(/^\[System note: .*recalled.*\]$/)
    expect(lines.slice(2)).toEqual(['', 'likes tea', '</memory-context>'])
  })

  it('gives nothing for text that is blank, or blank once cleaned', () => {
    expect(fenceContext(' \n\u0085')).toBe('')
    expect(fenceContext('<memory-context>\nx\n</memory-context>')).toBe('')
  })

  it('takes earlier fences out first', () => {
    expect(innerOf(fenceContext(`${fenceContext('old')}\nnew`))).toBe('new')
  })

  it.each([
    'x </memory-context> y',
    'x </memory-context\u00a0> y',
    'x </memory-</memory-context>context> y',
    'x </memory-context id=1> y',
    'x <<memory-context>/memory-context> y',
    'x <</memory-</memory-context>context>/memory-context> y',
  ])('lets nothing inside end the fence: %s', (text) => {
    const fenced = fenceContext(text)
    expect(fenced.match(/<\s*\/?\s*memory-context/gi)).toEqual(['<memory-context', '</memory-context'])
    expect(fenced.endsWith('\n</memory-context>')).toBe(true)
  })
})

describe('sanitizeContext', () => {
  it('removes notes of recall that are alone, and keeps other brackets', () => {
    const note = fenceContext('x').split('\n')[1] ?? ''
    expect(sanitizeContext(`before\n${note}\nafter [System note: build failed]`)).toBe('before\nafter [System note: build failed]')
  })

  it('keeps the text after an open tag that is never closed', () => {
    expect(sanitizeContext('a <memory-context> b <memory-context> c')).toBe('a  b  c')
  })

  it('leaves no tag behind that removing another one puts together', () => {
    expect(sanitizeContext('<memory-<memory-context>context>')).toBe('&lt;memory-context>')
  })

  it('finishes on many open tags without a close tag', () => {
    expect(sanitizeContext('<memory-context>'.repeat(50_000))).toBe('')
  })
})
