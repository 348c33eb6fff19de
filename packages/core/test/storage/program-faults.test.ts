/** A fault of the program during any call to the disk: it is thrown, not taken for an answer of the disk, and no lock stays. */

import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { FAULT_STEP, firstOf } from '../../../../scripts/support/rounds.ts'
import { fileSystemBackend } from '../../src/storage/files/file-backend.ts'
import { moveDocuments, updateDocument } from '../../src/storage/one-document.ts'
import type { StorageBackend } from '../../src/storage/storage-backend.ts'
import { createFailingDisk } from './support/failing-disk.ts'
import { temporaryFolder } from './support/temporary-home.ts'

const disk = createFailingDisk()
const text = (value: string) => () => new TextEncoder().encode(value)

type Write = readonly [
  path: string,
  before: string | undefined,
  after: string | undefined,
  doing: (storage: StorageBackend) => Promise<unknown>,
]

const WRITES: Readonly<Record<string, Write>> = {
  'an update': ['notes/a', 'old', 'new', (storage) => updateDocument(storage, 'notes/a', text('new'))],
  'a removal': ['notes/a', 'old', undefined, (storage) => updateDocument(storage, 'notes/a', () => undefined)],
  'a new document in a new folder': ['deep/a', undefined, 'new', (storage) => updateDocument(storage, 'deep/a', text('new'))],
  'a move': ['deep/a', undefined, 'old', (storage) => moveDocuments(storage, 'notes/a', 'deep/a')],
}

/** After these, something would be wrong on the disk. */
const MUST_SUCCEED = /^(?:writeFile|sync|rename|mkdir|exactLstat|link) \/(?!\.hermes)|^unlink \/(?!.*\.hermes-tmp-)/

const CASES = firstOf(['auto', 'exclusive-file'] as const)
  .flatMap((lock) => Object.entries(WRITES).map(([name, write]) => ({ name, lock, write })))
  // A move takes every lock, which takes long, and is the same with either kind.
  .filter(({ name, lock }) => name !== 'a move' || lock === 'auto')

describe.runIf(process.platform !== 'win32')('a fault of the program', () => {
  it.each(CASES)('during $name, with the lock $lock', async ({ lock, write: [path, before, after, doing] }) => {
    for (let failing = 0, failed: string | undefined = ''; failed !== undefined; failing += FAULT_STEP) {
      const home = temporaryFolder()
      const storage = fileSystemBackend(home, { lock, timeoutMs: 1000, onWarning: () => undefined })
      await updateDocument(storage, 'notes/a', text('old'))
      Object.assign(disk, { home, failing, calls: [], error: (call: string) => new TypeError(call) })
      const outcome = await doing(storage).catch((error: unknown) => error)
      disk.failing = -1
      failed = disk.calls[failing]?.replaceAll(home, '')
      const isThrown = outcome instanceof TypeError
      expect(isThrown || outcome, failed).toMatchObject(isThrown ? {} : { ok: true })
      if (failed !== undefined) expect(isThrown || !MUST_SUCCEED.test(failed), failed).toBe(true)
      const now = existsSync(join(home, path)) ? readFileSync(join(home, path), 'utf8') : undefined
      expect(isThrown ? [before, after] : [after], failed).toContain(now)
      expect(await updateDocument(storage, path, text('again')), failed).toMatchObject({ ok: true })
    }
    expect(disk.calls.length).toBeGreaterThan(10)
  })
})
