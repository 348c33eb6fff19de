/** The locks that an operation holds; operations that need two of them never deadlock. */

import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { openHome } from '../../src/storage/backends/file-system/home.ts'
import { fileSystemBackend } from '../../src/storage/backends/file-system/index.ts'
import { lockOf } from '../../src/storage/backends/file-system/own-files.ts'
import { moveDocuments, updateDocument } from '../../src/storage/one-document.ts'
import { temporaryFolder } from './support/temporary-home.ts'

const BUCKETS = 32
const one = () => new Uint8Array([1])

/** One document for each lock in `.locks`. */
const documentsOfAllLocks = (): ReadonlyMap<string, string> => {
  const found = new Map<string, string>()
  for (let index = 0; found.size < BUCKETS; index++) {
    const path = `notes/${index}`
    if (!found.has(lockOf(path))) found.set(lockOf(path), path)
  }
  return found
}

it('moves nothing while anybody holds any of the locks', async () => {
  const folder = temporaryFolder()
  const storage = fileSystemBackend(folder)
  const hasty = fileSystemBackend(folder, { lockTimeoutMs: 0 })
  await updateDocument(storage, 'source/document', one)
  const home = openHome(folder, {
    linkedDocuments: [],
    permissions: 'keep',
    lock: { timeoutMs: 0, kind: 'auto', warn: () => undefined, random: () => 0, clock: () => 0 },
  })
  for (const lock of documentsOfAllLocks().keys()) {
    const held = await home.acquire([lock])
    if (!held.ok) throw held.error
    const outcome = await moveDocuments(hasty, 'source', 'target')
    expect(outcome, lock).toMatchObject({ ok: false, error: { code: 'locked' } })
    expect(!outcome.ok && outcome.error.message).toContain(lock)
    await held.value.release()
  }
  expect(await moveDocuments(hasty, 'source', 'target')).toMatchObject({ ok: true })
})

it('lets updates through links that need the same two locks in opposite turns both end', async () => {
  const home = temporaryFolder()
  const paths = [...documentsOfAllLocks().values()]
  const [first = '', second = ''] = paths
  const linkTo = (target: string, lock: string): string => {
    for (let index = 0; ; index++) {
      const link = `links/${index}`
      if (lockOf(link) !== lock) continue
      symlinkSync(join('..', target), join(home, link))
      return link
    }
  }
  const storage = fileSystemBackend(home, { lockTimeoutMs: 2_000 })
  for (const path of [first, second, 'links/kept']) await updateDocument(storage, path, one)
  const links = [linkTo(first, lockOf(second)), linkTo(second, lockOf(first))]
  const outcomes = await Promise.all(links.map((link) => updateDocument(storage, link, one)))
  expect(outcomes).toMatchObject([{ ok: true }, { ok: true }])
})
