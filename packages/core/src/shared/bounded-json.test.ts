import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { LineCounter, parseDocument } from 'yaml'
import * as z from 'zod/mini'
import { rounds } from '../../../../scripts/support/rounds.ts'
import { MAX_JSON_DEPTH, parseBoundedJson } from './bounded-json.ts'
import { MAX_YAML_DEPTH, parseBoundedYaml } from './bounded-yaml.ts'
import { canonicalJson } from './canonical-json.ts'
import { checkShape } from './check-shape.ts'

const LIMITS = { maxBytes: 1_000, maxValues: 20 }

const read = (text: string, limits = LIMITS) => {
  const parsed = parseBoundedJson(new TextEncoder().encode(text), limits)
  return parsed.ok ? parsed.value : `${parsed.error.code}: ${parsed.error.message}`
}

const nested = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`

it.each([
  ['too many bytes', `"${'é'.repeat(500)}"`, 'over_limit: is larger than 1000 bytes'],
  ['too many values', `[${'1,'.repeat(20)}1]`, 'over_limit: holds more than 20 values'],
  ['too many empty objects', `[${'{},'.repeat(20)}{}]`, 'over_limit: holds more than 20 values'],
  ['brackets that end in a text', `["\\"]]]]", ${nested(60)} ${nested(60)}`, 'over_limit: holds more than 20 values'],
  ['half of it', '{"a": ', 'unreadable: is not JSON in UTF-8'],
  ['nothing', '', 'unreadable: is not JSON in UTF-8'],
])('refuses %s', (_, text, refusal) => {
  expect(read(text)).toBe(refusal)
})

it('refuses what is nested too deep, closed or not, and takes what is as deep as may be', () => {
  const roomy = { maxBytes: 1_000_000, maxValues: 1_000_000 }
  const tooDeep = `over_limit: is nested deeper than ${MAX_JSON_DEPTH} levels`
  expect(read(nested(MAX_JSON_DEPTH + 1), roomy)).toBe(tooDeep)
  expect(read('{"a":'.repeat(100_000), roomy)).toBe(tooDeep)
  expect(read(nested(MAX_JSON_DEPTH), roomy)).toEqual(JSON.parse(nested(MAX_JSON_DEPTH)))
})

it('does not count marks in texts, including escaped quotes and backslashes', () => {
  for (const text of ['[[[[,,,,{{{{', '\\"[', '"', '\\', '\\\\"', 'é"[,']) {
    const data = { [text]: Array.from({ length: 9 }, () => text) }
    expect(read(JSON.stringify(data))).toEqual(data)
  }
})

it('reads any data that is within the limits as JSON.parse does', () => {
  fc.assert(
    fc.property(fc.json({ maxDepth: 5 }), (text) => {
      expect(read(text, { maxBytes: 1_000_000, maxValues: 100_000 })).toEqual(JSON.parse(text))
    }),
    { seed: 7 },
  )
})

describe('bounded yaml', () => {
  const LIMITS = { maxChars: 10_000, maxTokens: 2_000 }

  const reasonOf = (text: string): string | undefined => {
    const parsed = parseBoundedYaml(text, LIMITS)
    return parsed.ok ? undefined : `${parsed.error.code}: ${parsed.error.message}`
  }

  const TOO_DEEP = `over_limit: it is nested deeper than ${MAX_YAML_DEPTH} levels`

  it.each([
    ['flow lists', nested(MAX_YAML_DEPTH + 1)],
    ['flow lists without an end', '['.repeat(9_000)],
    ['flow maps', '{a: '.repeat(2_000)],
    ['block lists on one line', `${'- '.repeat(3_000)}a`],
    ['block maps', Array.from({ length: 100 }, (_, depth) => `${' '.repeat(depth)}a:`).join('\n')],
    ['explicit keys', '? '.repeat(3_000)],
    ['lists whose closing brackets stand in quotes', `x: ${`[ "${']'.repeat(3)}", [[ `.repeat(60)}`],
    ['lists whose opening brackets follow an apostrophe', `x: [a, it's, ${'['.repeat(200)}`],
  ])('refuses %s that are nested too deep', (_, text) => {
    expect(reasonOf(text)).toBe(TOO_DEEP)
  })

  it('takes what is nested as deep as it may, and brackets in text', () => {
    expect(reasonOf(nested(MAX_YAML_DEPTH))).toBeUndefined()
    expect(reasonOf(`x: "${'['.repeat(500)}"\ny: |\n  ${'{'.repeat(500)}\n`)).toBeUndefined()
  })

  it('refuses what is too long, or of too many tokens, with the limit', () => {
    expect(reasonOf('a'.repeat(10_001))).toBe('over_limit: it is longer than 10000 characters')
    expect(reasonOf(`x: [${'a,'.repeat(1_500)}]`)).toBe('over_limit: it has more than 2000 keys, values and marks')
  })

  it.each([
    '',
    'a: 1\nb: [x, {y: z}]\n',
    '# c\na: &x b\nc: *x\n',
    'a: [1, 2\n',
    'a: 1\n---\nb: 2\n',
    'a: |\n  one\n  two\n',
    '\ufeffa: b\n',
  ])('answers for %j what the parser of the library answers, lines included', (text) => {
    const lines = new LineCounter()
    const parsed = parseBoundedYaml(text, LIMITS, { version: '1.1', lineCounter: lines })
    if (!parsed.ok) throw parsed.error
    const libraryLines = new LineCounter()
    const expected = parseDocument(text, { version: '1.1', prettyErrors: false, lineCounter: libraryLines })
    expect(parsed.value.toJS()).toEqual(expected.toJS())
    expect(parsed.value.errors.map(({ code, pos }) => ({ code, pos }))).toEqual(expected.errors.map(({ code, pos }) => ({ code, pos })))
    expect(lines.lineStarts).toEqual(libraryLines.lineStarts)
  })
})

/** The same data with every object's keys the other way round. */
const reversed = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(reversed)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, child]) => [key, reversed(child)]),
  )
}

it('gives equal bytes for equal data, which parse to it, whatever the order of the keys', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const text = canonicalJson(value)
      expect(canonicalJson(reversed(value))).toBe(text)
      // Its own result has sorted keys, so it is written as it is.
      expect(canonicalJson(JSON.parse(text))).toBe(text)
      expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)))
    }),
    { seed: 7, numRuns: rounds(500) },
  )
})

it('sorts the keys at every depth by their code units', () => {
  const text = canonicalJson({ b: [{ z: 1, a: { y: 1, x: 2 } }], a: { d: 1, c: 2 }, B: 1 })
  expect(text.match(/[a-zA-Z](?=":)/g)?.join('')).toBe('Bacdbaxyz')
  expect(text.endsWith('}\n')).toBe(true)
})

it('writes an object with a class by its own keys only, like one whose keys need sorting', () => {
  expect(canonicalJson({ at: new Date(0) })).toBe(canonicalJson({ at: {} }))
})

const shape = z.strictObject({
  name: z.string().check(z.minLength(2)),
  size: z.int().check(z.nonnegative()),
  mode: z.enum(['a', 'b']),
  own: z.optional(z.boolean('true or false')),
})

const valid = { name: 'ab', size: 1, mode: 'a' }
const problemOf = (value: unknown) => checkShape(shape, value).error?.issues[0]?.message

// zod keeps its language for the whole process, and every copy of it shares that.
for (const [language, localeError] of [
  ['none', undefined],
  ['another', () => 'Ungültige Eingabe'],
] as const)
  describe(`with ${language} as the language that the host has set for zod`, () => {
    const before = z.config().localeError
    beforeEach(() => void z.config({ localeError }))
    afterEach(() => void z.config({ localeError: before }))

    it('says in English what is wrong', () => {
      expect(problemOf({ ...valid, name: 1 })).toBe('Invalid input: expected string, received number')
      expect(problemOf({ ...valid, name: 'a' })).toBe('Too small: expected string to have >=2 characters')
      expect(problemOf({ ...valid, size: -1 })).toBe('Too small: expected number to be >=0')
      expect(problemOf({ ...valid, mode: 'c' })).toBe('Invalid option: expected one of "a"|"b"')
      expect(problemOf({ ...valid, more: 1 })).toBe('Unrecognized key: "more"')
    })

    it("keeps a schema's own message", () => {
      expect(problemOf({ ...valid, own: 'yes' })).toBe('true or false')
    })
  })

it('answers the value of a fitting input', () => {
  expect(checkShape(shape, valid)).toMatchObject({ success: true, data: valid })
})
