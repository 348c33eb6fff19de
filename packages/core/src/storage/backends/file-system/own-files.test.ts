/** The back end's own files, and which lock guards what. */
import { describe, expect, it } from 'vitest'
import { isOwnFile, lockOf, locksOfMove, refuseOwnFile, sharedLocksWithin } from './own-files.ts'

describe('a name that the back end keeps for itself', () => {
  it.each([
    '.locks',
    '.locks/00.lock',
    '.LOCKS/x',
    'memories/MEMORY.md.lock',
    'memories/memory.md.LOCK',
    'skills/.usage.json.lock.excl',
    'skills/.usage.json.lock.excl.takeover.takeover',
    '.hermes-tmp-1-host-aaaa-1',
    'a/.hermes-tmp-x/b',
    'a/.Hermes-Tmp-x',
    'memories/.mem_abc123.tmp',
    'a/.MEM_x.TMP/b',
    // The Kelvin sign folds into a k.
    '.loc\u212as/a',
  ])('is refused: %s', (path) => {
    expect(isOwnFile(path)).toBe(true)
    expect(refuseOwnFile(path)).toMatchObject({ ok: false, error: { code: 'invalid_path' } })
  })

  it.each([
    'memories/MEMORY.md',
    'memories/poetry.lock',
    'a/.locks/b',
    'a/.lock',
    'memories/MEMORY.md.lock.old',
    'a/b.hermes-tmp-x',
    'a/.mem_x.md',
    'a/x.mem_y.tmp',
    'ü/.lock',
  ])('is none: %s', (path) => {
    expect(isOwnFile(path)).toBe(false)
    expect(refuseOwnFile(path)).toEqual({ ok: true, value: path })
  })
})

describe('the lock of a document', () => {
  it.each([
    ['memories/MEMORY.md', 'memories/MEMORY.md.lock'],
    ['memories/USER.md', 'memories/USER.md.lock'],
    ['skills/.usage.json', 'skills/.usage.json.lock'],
    ['MEMORIES/memory.md', 'memories/MEMORY.md.lock'],
  ])('is that of Python Hermes for %s', (path, lock) => {
    expect(lockOf(path)).toBe(lock)
  })

  it('is one of 32 for all others, the same for two names that a disk may take for one', () => {
    const locks = Array.from({ length: 500 }, (_, index) => lockOf(`sessions/${index}.json`))
    expect(new Set(locks).size).toBe(32)
    for (const lock of locks) expect(lock).toMatch(/^\.locks\/[01][0-9a-f]\.lock$/)
    expect(lockOf('sessions/CAF\u00c9.json')).toBe(lockOf('sessions/cafe\u0301.json'))
  })

  it('is held by a move, with all others, if the document is at one of its ends or below it', () => {
    const memory = 'memories/MEMORY.md.lock'
    const both = [memory, 'memories/USER.md.lock']
    expect(sharedLocksWithin(['memories/MEMORY.md'])).toEqual([memory])
    expect(sharedLocksWithin(['Memories'])).toEqual(both)
    expect(sharedLocksWithin(['memories-old', 'memories/MEMORY.md/x', 'skills/a'])).toEqual([])
    expect(locksOfMove(['a', 'memories'])).toEqual([
      ...Array.from({ length: 32 }, (_, index) => `.locks/${index.toString(16).padStart(2, '0')}.lock`),
      ...both,
    ])
  })
})
