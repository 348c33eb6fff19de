/** The back end's own files. */
import { describe, expect, it } from 'vitest'
import { isOwnFile, refuseOwnFile } from './own-files.ts'

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
