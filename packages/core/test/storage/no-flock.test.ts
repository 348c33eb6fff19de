/** A machine without flock: lock files replace it, with a warning. */

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, expect, it, vi } from 'vitest'
import { FileBackend, fileSystemBackend } from '../../src/storage/files/file-backend.ts'
import * as flock from '../../src/storage/files/flock.ts'
import { readDocument, updateDocument } from '../../src/storage/one-document.ts'
import { temporaryFolder } from './support/temporary-home.ts'

afterEach(() => {
  vi.restoreAllMocks()
})

const one = () => new Uint8Array([1])

it('says once that flock is missing, what that means and what helps', async () => {
  vi.spyOn(flock, 'flockCalls').mockReturnValue(undefined)
  const warnings: string[] = []
  const storage = fileSystemBackend(temporaryFolder(), { onWarning: (message) => warnings.push(message) })
  for (const path of ['a', 'b']) expect(await updateDocument(storage, path, one)).toMatchObject({ ok: true })
  expect(warnings).toHaveLength(1)
  for (const words of ['flock(2) is not available', 'Python Hermes', 'koffi']) expect(warnings[0]).toContain(words)
})

/** A home remembers the kind of its lock in a file, which another process may be about to write. */
const openEmptyKind = () => {
  const home = temporaryFolder()
  const kind = join(home, '.hermes/kind')
  mkdirSync(join(home, '.hermes'))
  writeFileSync(kind, '')
  const warnings: string[] = []
  return { kind, warnings, storage: fileSystemBackend(home, { onWarning: (message) => warnings.push(message) }) }
}

it.skipIf(!flock.hasFlock())('waits for the kind of lock that another process writes, and writes it if that has died', async () => {
  const slow = openEmptyKind()
  const updating = updateDocument(slow.storage, 'a', one)
  await pause(20)
  writeFileSync(slow.kind, 'file\n')
  expect(await updating).toMatchObject({ ok: true })
  expect(slow.warnings).toHaveLength(1)
  const dead = openEmptyKind()
  expect(await updateDocument(dead.storage, 'a', one)).toMatchObject({ ok: true })
  expect([readFileSync(dead.kind, 'utf8'), dead.warnings]).toEqual(['flock\n', []])
})

it.skipIf(!flock.hasFlock())('reads, in a home that it cannot lock, what was written before the machine has started', async () => {
  const home = temporaryFolder()
  const first = new FileBackend(home, { boot: 'first' })
  await updateDocument(first, 'a', one)
  await first.close()
  const reader = new FileBackend(home, { boot: 'second', lock: 'exclusive-file' })
  expect(await readDocument(reader, 'a')).toMatchObject({ ok: true, value: { bytes: one() } })
  const killed = new FileBackend(home, {
    boot: 'second',
    atStep: (step) => {
      if (step === 'logged') throw new Error('killed')
    },
  })
  await expect(updateDocument(killed, 'a', () => new Uint8Array([2]))).rejects.toThrow('killed')
  expect(await readDocument(reader, 'a')).toMatchObject({ ok: false, error: { code: 'unwritable' } })
})
