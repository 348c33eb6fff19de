import { expect, it } from 'vitest'
import { mergeShared } from './shared-documents.ts'

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)
const entries = (...all: readonly string[]): string => all.join('\n§\n')
const USAGE = 'skills/.usage.json'

const merge = (path: string, before: string | undefined, ours: string, there: string, mayBeIn: boolean): string | undefined => {
  const merged = mergeShared(path, before === undefined ? undefined : bytes(before), bytes(ours), bytes(there), mayBeIn)
  return merged && new TextDecoder().decode(merged)
}

it.each([
  ['adds an entry', entries('a'), entries('a', 'ours'), entries('a', 'theirs'), entries('a', 'theirs', 'ours')],
  ['adds none twice', entries('a'), entries('a', 'ours'), entries('a', 'ours'), entries('a', 'ours')],
  ['removes an entry', entries('a', 'b'), entries('b'), entries('a', 'b', 'theirs'), entries('b', 'theirs')],
  ['brings none back that they removed', entries('a', 'b'), entries('a', 'b', 'ours'), entries('b'), entries('b', 'ours')],
  ['begins from nothing', undefined, entries('ours'), '', entries('ours')],
  ['reads a file that ends with a line feed', 'a\n', entries('a', 'ours'), 'a\n', entries('a', 'ours')],
  ['leaves nothing', entries('a'), '', entries('a'), ''],
])('an update of entries %s', (_, before, ours, there, expected) => {
  expect(merge('memories/MEMORY.md', before, ours, there, false)).toBe(expected)
})

const of = (counts: object): string => JSON.stringify(counts)

it.each<[string, string | undefined, string, string, boolean, unknown]>([
  ['adds to their count', of({ s: { n: 2 } }), of({ s: { n: 5 } }), of({ s: { n: 4 } }), false, { s: { n: 7 } }],
  ['adds to no count of theirs', of({ s: { n: 2 } }), of({ s: { n: 5 } }), of({ s: {} }), false, { s: { n: 3 } }],
  ['adds a first count', of({ s: {} }), of({ s: { n: 1 } }), of({ s: { n: 4 } }), false, { s: { n: 5 } }],
  ['adds a skill', undefined, of({ s: { n: 1 } }), of({ t: { n: 4 } }), false, { t: { n: 4 }, s: { n: 1 } }],
  ['counts nothing twice that they may have read', of({ s: { n: 2 } }), of({ s: { n: 5 } }), of({ s: { n: 6 } }), true, { s: { n: 6 } }],
  ['counts no less than ours', of({ s: { n: 2 } }), of({ s: { n: 5 } }), of({ s: { n: 4 } }), true, { s: { n: 5 } }],
  ['leaves what it did not change', of({ s: { n: 2 } }), of({ s: { n: 2 } }), of({ s: { n: 9 } }), true, { s: { n: 9 } }],
  ['sets what is no count', of({ s: { at: 'a' } }), of({ s: { at: 'b' } }), of({ s: { at: 'c', n: 1 } }), false, { s: { at: 'b', n: 1 } }],
  ['sets a count in the place of a text', of({ s: { n: 'a' } }), of({ s: { n: 5 } }), of({ s: { n: 4 } }), false, { s: { n: 5 } }],
  ['removes a field', of({ s: { at: 'a', n: 1 } }), of({ s: { n: 1 } }), of({ s: { at: 'a', n: 3 } }), false, { s: { n: 3 } }],
  ['removes a skill', of({ s: { n: 1 }, t: {} }), of({ t: {} }), of({ s: { n: 1 }, t: {}, u: {} }), false, { t: {}, u: {} }],
  ['replaces a list', of({ s: [1] }), of({ s: { n: 1 } }), of({ s: [2] }), false, { s: { n: 1 } }],
])('an update of counts %s', (_, before, ours, there, mayBeIn, expected) => {
  const merged = merge(USAGE, before, ours, there, mayBeIn)
  expect(merged).toBe(JSON.stringify(expected, null, 2))
})

it.each([
  ['before', '{', '{}', '{}'],
  ['ours', '{}', '[]', '{}'],
  ['theirs', '{}', '{}', 'null'],
  ['theirs', '{}', '{}', '1'],
])('counts that are no map cannot be merged: %s', (_, before, ours, there) => {
  expect(merge(USAGE, before, ours, there, false)).toBeUndefined()
})
