import fc from 'fast-check'
import { expect, it } from 'vitest'
import { MAX_JSON_DEPTH, parseBoundedJson } from './bounded-json.ts'

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
