/** Moves that are asked for together on a disk that fails to sync a folder: those that rest on it fail, the others do not. */

import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { fileSystemBackend } from '../../src/storage/backends/file-system/index.ts'
import { moveDocuments, updateDocument } from '../../src/storage/one-document.ts'
import { replaceFileCalls } from './support/replaced-calls.ts'
import { temporaryFolder } from './support/temporary-home.ts'

/** Folders by their inode. As on Linux, only the first sync of an open folder fails. */
const disk = { broken: new Set<number>(), synced: [] as number[], code: 'EIO' }

replaceFileCalls((fs) => ({
  open: async (path: string, ...rest: [never, never]) => {
    const handle = await fs.open(path, ...rest)
    const { ino } = await handle.stat()
    const { sync } = handle
    let failed = false
    return Object.assign(handle, {
      sync: async () => {
        disk.synced.push(ino)
        if (!disk.broken.has(ino) || failed) return sync()
        failed = true
        throw Object.assign(new Error(`${disk.code}: fsync`), { code: disk.code })
      },
    })
  },
}))

afterEach(() => {
  disk.broken.clear()
  disk.synced.length = 0
  disk.code = 'EIO'
})

/** Each document contains its own first path. */
const openHome = async (...documents: readonly string[]) => {
  const home = temporaryFolder()
  for (const path of documents) {
    mkdirSync(join(home, path, '..'), { recursive: true })
    writeFileSync(join(home, path), path)
  }
  const storage = fileSystemBackend(home)
  // So that the folder of locks exists.
  await updateDocument(storage, 'other', () => new Uint8Array(1))
  disk.synced.length = 0
  const moveAll = async (...moves: readonly (readonly [from: string, to: string])[]) => {
    const outcomes = await Promise.all(moves.map(([from, to]) => moveDocuments(storage, from, to)))
    return outcomes.map((outcome) => (outcome.ok ? 'ok' : outcome.error.details['systemCode']))
  }
  const text = (path: string): string => readFileSync(join(home, path), 'utf8')
  /** Returns the inode. */
  const breakFolder = (path: string): number => {
    const { ino } = statSync(join(home, path))
    disk.broken.add(ino)
    return ino
  }
  return { home, moveAll, text, storage, breakFolder }
}

describe.runIf(process.platform === 'linux')('a folder that cannot be synced', () => {
  it('fails the one move into it, and no other move of the batch', async () => {
    const { moveAll, text, breakFolder } = await openHome('from/a', 'from/b', 'from/c', 'one/x', 'two/x', 'three/x')
    breakFolder('two')
    expect(await moveAll(['from/a', 'one/a'], ['from/b', 'two/b'], ['from/c', 'three/c'])).toEqual(['ok', 'EIO', 'ok'])
    expect([text('one/a'), text('two/b'), text('three/c')]).toEqual(['from/a', 'from/b', 'from/c'])
  })

  it('fails every move into it and out of it, and is not asked again, since a second sync hides the first error', async () => {
    const { home, moveAll, text, breakFolder } = await openHome('from/a', 'from/b', 'to/x', 'to/c', 'else/x')
    const folder = breakFolder('to')
    const outcomes = await moveAll(['from/a', 'to/a'], ['to/c', 'else/c'], ['from/b', 'to/b'])
    expect(outcomes).toEqual(['EIO', 'EIO', 'EIO'])
    expect(disk.synced.filter((ino) => ino === folder)).toHaveLength(1)
    expect([text('to/a'), text('to/b'), text('else/c')]).toEqual(['from/a', 'from/b', 'to/c'])
    expect(readdirSync(join(home, 'from'))).toEqual([])
  })

  it('fails the move into it also if a later one has moved the folder away, and not the move into the folder that took its place', async () => {
    const { moveAll, text, breakFolder } = await openHome('from/a', 'from/b', 'to/x')
    breakFolder('to')
    expect(await moveAll(['from/a', 'to/a'], ['to', 'away'], ['from/b', 'to/b'])).toEqual(['EIO', 'ok', 'ok'])
    expect([text('away/a'), text('to/b')]).toEqual(['from/a', 'from/b'])
  })

  it('leaves the back end usable: the next moves are carried out, and no lock stays', async () => {
    const { home, moveAll, text, storage, breakFolder } = await openHome('from/a', 'to/x')
    breakFolder('to')
    expect(await moveAll(['from/a', 'to/a'])).toEqual(['EIO'])
    disk.broken.clear()
    expect(await moveAll(['to/a', 'from/a'])).toEqual(['ok'])
    expect(text('from/a')).toBe('from/a')
    await storage.close()
    const locks = readdirSync(join(home, '.locks')).map((name) => readFileSync(join(home, '.locks', name), 'utf8'))
    expect(locks.join('')).toBe('')
  })

  it.each(['EINVAL', 'ENOTSUP', 'EOPNOTSUPP'])('since its file system cannot do that (%s) fails no move', async (code) => {
    const { moveAll, text, breakFolder } = await openHome('from/a', 'to/x')
    disk.code = code
    const folder = breakFolder('to')
    expect(await moveAll(['from/a', 'to/a'])).toEqual(['ok'])
    expect(disk.synced).toContain(folder)
    expect(text('to/a')).toBe('from/a')
  })
})
