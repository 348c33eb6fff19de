import { expect, it } from 'vitest'
import { byCodeUnit, checkFolder, checkMove, isBelow, notADocument, nothingAt, occupiedAt } from './document-tree.ts'

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

it('tells the smaller from the greater and the same', () => {
  expect([byCodeUnit('a', 'b'), byCodeUnit('b', 'a'), byCodeUnit('a', 'a')]).toEqual([-1, 1, 0])
})

it('names the path in each error', () => {
  for (const [error, code] of [
    [nothingAt('a/b'), 'not_found'],
    [occupiedAt('a/b'), 'occupied'],
    [notADocument('a/b', 'it is a folder'), 'invalid_path'],
  ] as const) {
    expect(error).toMatchObject({ code, details: { path: 'a/b' }, message: expect.stringContaining("'a/b'") })
  }
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
