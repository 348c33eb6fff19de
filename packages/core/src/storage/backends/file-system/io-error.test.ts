/** Errors of the operating system become errors that say what to do next. */
import { expect, it } from 'vitest'
import { isSystemError, toIoError } from './io-error.ts'

const systemError = (code: string) => {
  const error = Object.assign(new Error(`${code}: what the system says`), { code })
  if (!isSystemError(error)) throw error
  return error
}

it.each([
  ['EACCES', 'unwritable', 'unreadable', /owns it/],
  ['EROFS', 'unwritable', 'unreadable', /read-only/],
  ['ENOENT', 'io', 'io', /home exists/],
  ['ENOTDIR', 'unwritable', 'unreadable', /a file where a folder is needed/],
  ['EISDIR', 'unwritable', 'unreadable', /a folder where a file is needed/],
  ['ENOTEMPTY', 'occupied', 'occupied', /files that are not documents/],
  ['ENOSPC', 'no_space', 'no_space', /free some space/],
  ['ELOOP', 'invalid_path', 'invalid_path', /circle/],
  ['EBUSY', 'io', 'io', /mount/],
  ['EMFILE', 'io', 'io', /files open/],
  ['EUNHEARD', 'io', 'io', /Check the system message/],
])('tells %s as %s of a write and %s of a read, with advice', (code, write, read, words) => {
  for (const [doing, expected] of [['write', write] as const, ['read', read] as const]) {
    const error = toIoError(systemError(code), doing, 'memories/MEMORY.md')
    expect(error.code).toBe(expected)
    expect(error.message).toMatch(words)
    expect(error.message).toContain(`'memories/MEMORY.md' (${code}: what the system says)`)
    expect(error.details).toEqual({ path: 'memories/MEMORY.md', systemCode: code })
  }
})

it('speaks of the home if the path is empty', () => {
  expect(toIoError(systemError('EIO'), 'read', '').message).toContain('Could not read the home (EIO: ')
})

it('takes only errors of the system for such, and only with one of the given codes', () => {
  const withCode = (code: unknown) => Object.assign(new Error('no'), { code })
  expect(isSystemError(withCode('EIO'))).toBe(true)
  expect(isSystemError(withCode('E2BIG'))).toBe(true)
  expect(isSystemError(withCode('EIO'), 'ENOENT', 'EIO')).toBe(true)
  expect(isSystemError(withCode('EIO'), 'ENOENT')).toBe(false)
  const others = [
    undefined,
    null,
    'EIO',
    { code: 'EIO' },
    new Error('EIO'),
    withCode(5),
    withCode(['EIO']),
    withCode('ERR_INVALID_ARG_TYPE'),
    withCode('XEIO'),
  ]
  for (const other of others) expect(isSystemError(other)).toBe(false)
})
