/** Valid document paths, the same on every platform. */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { rounds } from '../../../../scripts/support/rounds.ts'
import { codePoint } from '../../test/support/code-point.ts'
import { checkStoragePath } from './storage-paths.ts'

it.each([
  '',
  '/',
  '/a',
  'a/',
  'a//b',
  '.',
  '..',
  'a/..',
  './a',
  'a\\b',
  'C:a',
  'a\u0000',
  'a\u007f',
  'a.',
  'a ',
  'a?',
  '\udfff',
  '\u00e9'.repeat(128),
])('refuses %j and says what a path looks like', (path) => {
  const checked = checkStoragePath(path)
  expect(checked).toMatchObject({ ok: false, error: { code: 'invalid_path' } })
  expect(!checked.ok && checked.error.message).toContain('memories/MEMORY.md')
})

it.each([undefined, null, 7, ['a'], {}, Symbol('a')])('refuses a value that is not text: %o', (path) => {
  // Values that JavaScript callers may pass.
  const checked = Reflect.apply(checkStoragePath, undefined, [path])
  expect(checked).toMatchObject({ ok: false, error: { code: 'invalid_path', message: expect.stringContaining(typeof path) } })
})

it('counts bytes, not characters, up to the limits', () => {
  expect(checkStoragePath('x'.repeat(255)).ok).toBe(true)
  expect(checkStoragePath('x'.repeat(256)).ok).toBe(false)
  expect(checkStoragePath(`${'ab/'.repeat(341)}c`).ok).toBe(true)
  expect(checkStoragePath(`${'ab/'.repeat(341)}cd`).ok).toBe(false)
})

it('counts the bytes of a segment up to the limit', () => {
  expect(checkStoragePath(`a/é${'x'.repeat(253)}/b`).ok).toBe(true)
  expect(checkStoragePath(`a/é${'x'.repeat(254)}/b`).ok).toBe(false)
})

it.each([
  ['', 'is empty'],
  ['a/../b', 'leaves its folder'],
  ['a/./b', 'leaves its folder'],
  ['a//b', 'empty segment'],
  ['a./b', 'ends with a dot'],
])('says what is wrong with %j', (path, why) => {
  const checked = checkStoragePath(path)
  expect(!checked.ok && checked.error.message).toContain(why)
})

it('accepts nothing that a URL of the same shape would resolve to somewhere else', () => {
  fc.assert(
    fc.property(fc.string({ unit: codePoint }), (path) => {
      if (!checkStoragePath(path).ok) return
      const encoded = path.split('/').map(encodeURIComponent).join('/')
      expect(new URL(encoded, 'http://h/').pathname.slice(1).split('/')).toHaveLength(path.split('/').length)
    }),
    { seed: 7, numRuns: rounds(1000) },
  )
})
