/** The disk fails one call of a write, each in turn: what was stored stays whole, what is acknowledged is on the disk, and no lock stays. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { FAULT_STEP, firstOf } from '../../../../scripts/support/rounds.ts'
import { fileSystemBackend } from '../../src/storage/files/file-backend.ts'
import { moveDocuments, updateDocument } from '../../src/storage/one-document.ts'
import type { StorageBackend } from '../../src/storage/storage-backend.ts'
import { createFailingDisk } from './support/failing-disk.ts'
import { temporaryFilesOnDisk, temporaryFolder } from './support/temporary-home.ts'

const disk = createFailingDisk()

const text = (value: string) => () => new TextEncoder().encode(value)

const contentAt = (home: string, path: string): string | undefined =>
  existsSync(join(home, path)) ? readFileSync(join(home, path), 'utf8') : undefined

interface Write {
  readonly doing: (storage: StorageBackend) => Promise<{ readonly ok: boolean }>
  /** The documents that it changes, before and after. */
  readonly changes: Readonly<Record<string, readonly [string | undefined, string | undefined]>>
}

const WRITES: Readonly<Record<string, Write>> = {
  'an update of a document': {
    doing: (storage) => updateDocument(storage, 'notes/a', text('new')),
    changes: { 'notes/a': ['old', 'new'] },
  },
  'an update that creates folders': {
    doing: (storage) => updateDocument(storage, 'notes/deep/er/c', text('new')),
    changes: { 'notes/deep/er/c': [undefined, 'new'] },
  },
  'the removal of a document': {
    doing: (storage) => updateDocument(storage, 'notes/a', () => undefined),
    changes: { 'notes/a': ['old', undefined] },
  },
  'a move of a folder': {
    doing: (storage) => moveDocuments(storage, 'notes', 'kept/notes'),
    changes: { 'notes/a': ['old', undefined], 'kept/notes/a': [undefined, 'old'], 'kept/notes/b': [undefined, 'other'] },
  },
}

/** Without these, a document is not in its place. */
const MUST_SUCCEED = /^(?:rename|mkdir) \/(?!\.hermes)/

const KINDS = ['auto', 'exclusive-file'] as const

const CASES = firstOf(KINDS).flatMap((lock) => Object.entries(WRITES).map(([name, write]) => ({ name, lock, ...write })))

describe.runIf(process.platform !== 'win32')('one failing call of the disk', () => {
  it.each(CASES)('during $name, with the lock $lock', async ({ lock, doing, changes }) => {
    const before = Object.values(changes).map(([old]) => old)
    const after = Object.values(changes).map(([, next]) => next)
    for (let failing = 0, failed: string | undefined = ''; failed !== undefined; failing += FAULT_STEP) {
      const home = temporaryFolder()
      const open = (timeoutMs: number) => fileSystemBackend(home, { lock, timeoutMs, onWarning: () => undefined })
      const storage = open(1000)
      const created = await Promise.all([
        updateDocument(storage, 'notes/a', text('old')),
        updateDocument(storage, 'notes/b', text('other')),
      ])
      expect(created).toMatchObject([{ ok: true }, { ok: true }])

      Object.assign(disk, { home, failing, calls: [] })
      const { ok } = await doing(storage)
      await storage.close()
      disk.failing = -1

      failed = disk.calls[failing]?.replace(home, '')
      const now = Object.keys(changes).map((path) => contentAt(home, path))
      expect(ok ? [after] : [before, after], failed).toContainEqual(now)
      expect(ok, failed).toBe(failed === undefined || (ok && !MUST_SUCCEED.test(failed)))
      expect(temporaryFilesOnDisk(home), failed).toEqual([])
      const again = await updateDocument(open(1000), Object.keys(changes)[0] ?? '', text('again'))
      expect(again.ok, failed).toBe(true)
    }
    expect(disk.calls.length).toBeGreaterThan(10)
  })
})
