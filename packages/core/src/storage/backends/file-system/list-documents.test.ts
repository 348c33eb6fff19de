import { mkdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { temporaryFolder } from '../../../../test/storage/support/temporary-home.ts'
import { HermesError } from '../../../shared/hermes-error.ts'
import { listDocuments, msUntilStampsHold } from './list-documents.ts'
import type { ReadableHome } from './readable-home.ts'
import { resolvePath } from './resolve-path.ts'

const changedAt = (...times: readonly number[]) => times.map((time) => ({ changedAt: time }))

describe('msUntilStampsHold', () => {
  it('waits out the step of the clock in which the youngest file was written', () => {
    expect(msUntilStampsHold(changedAt(0, 995, 500), 1_000)).toBe(7)
    expect(msUntilStampsHold(changedAt(1_000), 1_000)).toBe(12)
  })

  it('waits for nothing if every file is old, of the future, or if there is none', () => {
    expect(msUntilStampsHold(changedAt(0, 988), 1_000)).toBe(0)
    expect(msUntilStampsHold(changedAt(1_001, 5_000), 1_000)).toBe(0)
    expect(msUntilStampsHold([], 1_000)).toBe(0)
  })
})

describe('listDocuments', () => {
  const homeOf = (root: string): ReadableHome => ({
    resolve: (path) => resolvePath(root, path, new Set()),
  })

  const listed = async (names: readonly string[], prefix = '') => {
    const root = temporaryFolder()
    mkdirSync(join(root, 'folder'))
    for (const name of names) writeFileSync(join(root, name), name)
    const result = await listDocuments(homeOf(root), prefix)
    return result.ok ? result.value : result.error.code
  }

  it('sorts by path, in the order of code units, and tells no times', async () => {
    const documents = await listed(['b', 'a', 'folder/x', 'B', 'é', 'folder.md', 'a b'])
    expect(documents).toMatchObject(['B', 'a', 'a b', 'b', 'folder.md', 'folder/x', 'é'].map((path) => ({ path })))
    expect(Object.keys(documents[0] ?? {})).toEqual(['path', 'size', 'stamp'])
    expect(await listed(['a', 'folder/x'], 'folder')).toMatchObject([{ path: 'folder/x' }])
  })

  it('waits until no later write can leave the same times', async () => {
    const root = temporaryFolder()
    writeFileSync(join(root, 'a'), 'x')
    await listDocuments(homeOf(root), '')
    // The change itself may be a part of a millisecond later, and a timer as much too early.
    expect(Date.now() - Math.floor(statSync(join(root, 'a')).ctimeMs)).toBeGreaterThan(9)
  })

  it('is empty for an empty folder and below a document, and fails for a link out of the home', async () => {
    expect(await listed([])).toEqual([])
    expect(await listed(['a'], 'a')).toEqual([])
    expect(await listed(['a'], 'a/b')).toEqual([])
    const root = temporaryFolder()
    symlinkSync('..', join(root, 'out'))
    expect(await listDocuments(homeOf(root), 'out')).toMatchObject({ ok: false, error: { code: 'invalid_path' } })
  })

  it('looks into nothing behind a document that blocks the way', async () => {
    const root = temporaryFolder()
    writeFileSync(join(root, 'a'), 'x')
    const blocked: ReadableHome = {
      ...homeOf(root),
      resolve: async (path) => {
        const resolved = await resolvePath(root, path, new Set())
        return resolved.ok
          ? { ok: true, value: { ...resolved.value, file: root, blocked: new HermesError('invalid_path', 'blocked') } }
          : resolved
      },
    }
    expect(await listDocuments(blocked, 'a/b')).toEqual({ ok: true, value: [] })
  })
})
