import { expect, it } from 'vitest'
import { byCodeUnit, checkFolder, checkMove, isBelow } from './document-tree.ts'

it('distinguishes the contents of a folder from names with the same beginning', () => {
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

it('refuses a move into itself, but not to a sibling whose name has the same beginning', () => {
  expect(checkMove('a', 'a/b')).toMatchObject({ ok: false, error: { code: 'invalid_path' } })
  expect(checkMove('a', 'ab').ok).toBe(true)
  expect(checkMove('a/b', 'a').ok).toBe(true)
})
