/** Concurrent writers create and empty folders: no write fails because another one has just removed an empty folder. Folders at the top of a home stay. */

import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { rounds } from '../../../../scripts/support/rounds.ts'
import { fileSystemBackend } from '../../src/storage/files/file-backend.ts'
import { moveDocuments, readDocument, updateDocument } from '../../src/storage/one-document.ts'

const WRITERS = 8
const TIMES = rounds(60)

it('writes and removes in one folder from many handles', async () => {
  const root = await mkdtemp(join(tmpdir(), 'hermes-emptied-'))
  const handles = Array.from({ length: WRITERS }, () => fileSystemBackend(root))
  const failures: unknown[] = []
  await Promise.all(
    handles.map(async (storage, writer) => {
      for (let time = 0; time < TIMES; time++) {
        const path = `homes/tenant/user/home/folder-${time % 3}/${writer}.json`
        const written = await updateDocument(storage, path, () => new TextEncoder().encode(`${writer}-${time}`))
        const read = await readDocument(storage, path)
        if (!read.ok || new TextDecoder().decode(read.value?.bytes) !== `${writer}-${time}`) failures.push(read)
        const moved = time % 5 === 0 ? await moveDocuments(storage, path, `${path}.moved`) : undefined
        const removed = await updateDocument(storage, moved ? `${path}.moved` : path, () => undefined)
        for (const each of [written, moved, removed]) if (each?.ok === false) failures.push(each.error)
      }
    }),
  )
  await Promise.all(handles.map((storage) => storage.close()))
  expect(failures).toEqual([])
  expect((await readdir(root, { recursive: true })).filter((name) => name.startsWith('homes/'))).toEqual([])
  await rm(root, { recursive: true, force: true })
})

it('leaves no folder if many are emptied at once', async () => {
  const root = await mkdtemp(join(tmpdir(), 'hermes-emptied-'))
  const handles = Array.from({ length: WRITERS }, () => fileSystemBackend(root))
  const paths = Array.from({ length: 3 * WRITERS }, (_, index) => `homes/tenant/user/home/${index}/document.json`)
  const each = (bytes: Uint8Array | null) =>
    Promise.all(paths.map((path, index) => handles[index % WRITERS]?.update([path], () => ({ put: { [path]: bytes }, value: 0 }))))
  for (let round = 0; round < rounds(25); round++) {
    await each(new Uint8Array([round]))
    await each(null)
    expect((await readdir(root, { recursive: true })).filter((name) => name.startsWith('homes/'))).toEqual([])
  }
  await Promise.all(handles.map((storage) => storage.close()))
  await rm(root, { recursive: true, force: true })
})
