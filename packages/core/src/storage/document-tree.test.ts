import { expect, it } from 'vitest'
import { byCodeUnit, checkFolder, checkMove, isBelow } from './document-tree.ts'

it('knows what lies below a folder from what only begins alike', () => {
  expect(isBelow('foo/a', 'foo')).toBe(true)
  expect(isBelow('foo/a/b', 'foo')).toBe(true)
  expect(isBelow('foo', 'foo')).toBe(false)
  expect(isBelow('foobar/a', 'foo')).toBe(false)
  expect(isBelow('anything', '')).toBe(true)
})

it('orders by code units', () => {
  expect(['a/b', '\uff5e', 'a-b', 'B', '\u{1f600}'].sort(byCodeUnit)).toEqual(['B', 'a-b', 'a/b', '\u{1f600}', '\uff5e'])
})

it('takes the empty path as a folder only', () => {
  expect(checkFolder('').ok).toBe(true)
  expect(checkFolder('../x').ok).toBe(false)
  expect(checkMove('', 'a').ok).toBe(false)
})

it('refuses a move into itself, not one to a sibling that begins alike', () => {
  expect(checkMove('a', 'a/b')).toMatchObject({ ok: false, error: { code: 'invalid_path' } })
  expect(checkMove('a', 'ab').ok).toBe(true)
  expect(checkMove('a/b', 'a').ok).toBe(true)
})
