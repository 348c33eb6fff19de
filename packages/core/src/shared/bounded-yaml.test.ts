import { expect, it } from 'vitest'
import { LineCounter, parseDocument } from 'yaml'
import { MAX_YAML_DEPTH, parseBoundedYaml } from './bounded-yaml.ts'

const LIMITS = { maxChars: 10_000, maxTokens: 2_000 }

const reasonOf = (text: string): string | undefined => {
  const parsed = parseBoundedYaml(text, LIMITS)
  return parsed.ok ? undefined : `${parsed.error.code}: ${parsed.error.message}`
}

const TOO_DEEP = `over_limit: it is nested deeper than ${MAX_YAML_DEPTH} levels`

const nested = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`

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

it.each(['', 'a: 1\nb: [x, {y: z}]\n', '# c\na: &x b\nc: *x\n', 'a: [1, 2\n', 'a: 1\n---\nb: 2\n', 'a: |\n  one\n  two\n', '\ufeffa: b\n'])(
  'answers for %j what the parser of the library answers, lines included',
  (text) => {
    const lines = new LineCounter()
    const parsed = parseBoundedYaml(text, LIMITS, { version: '1.1', lineCounter: lines })
    if (!parsed.ok) throw parsed.error
    const libraryLines = new LineCounter()
    const expected = parseDocument(text, { version: '1.1', prettyErrors: false, lineCounter: libraryLines })
    expect(parsed.value.toJS()).toEqual(expected.toJS())
    expect(parsed.value.errors.map(({ code, pos }) => ({ code, pos }))).toEqual(expected.errors.map(({ code, pos }) => ({ code, pos })))
    expect(lines.lineStarts).toEqual(libraryLines.lineStarts)
  },
)
