import { expect, it } from 'vitest'
import { textAt, treeOf, unwrap, write } from '../../../test/support/skill-library.ts'
import { HermesError } from '../../shared/hermes-error.ts'
import { err } from '../../shared/result.ts'
import { inMemoryBackend } from '../../storage/in-memory.ts'
import type { StorageBackend } from '../../storage/storage-backend.ts'
import { putDocument, replacedPath } from './rollback-put.ts'

const PATH = 'skills/deploy/SKILL.md'
const put = {
  path: PATH,
  content: { bytes: new TextEncoder().encode('then') },
  folder: '2026-05-16T10-00-00Z',
  isBackedUp: () => false,
}

/** Another program writes `text` after the document was read and before it is replaced. */
const writtenInBetween = (storage: StorageBackend, text: string): StorageBackend => {
  let isWritten = false
  return {
    ...storage,
    update: async (paths, plan, options) => {
      if (paths.includes(PATH) && !isWritten) {
        isWritten = true
        await write(storage, { [PATH]: text })
      }
      return storage.update(paths, plan, options)
    },
  }
}

it.each([
  ['a document', { [PATH]: 'seen' }, ['seen', 'unseen']],
  ['nothing', {}, ['unseen']],
])('keeps what another program writes if %s was seen', async (_what, before, kept) => {
  const storage = inMemoryBackend()
  await write(storage, before)
  expect(unwrap(await putDocument(writtenInBetween(storage, 'unseen'), put))).toBe(true)
  expect(await textAt(storage, PATH)).toBe('then')
  expect(Object.values(await treeOf(storage, replacedPath(PATH, put.folder).split('/').slice(0, -2).join('/'))).sort()).toEqual(kept)
})

it('gives up if another program writes again and again', async () => {
  const storage = inMemoryBackend()
  let writes = 0
  const busy: StorageBackend = {
    ...storage,
    update: async (paths, plan, options) => {
      if (paths.includes(PATH)) await write(storage, { [PATH]: `written ${++writes}` })
      return storage.update(paths, plan, options)
    },
  }
  expect(await putDocument(busy, put)).toMatchObject({ ok: false, error: { code: 'locked', details: { path: PATH } } })
  expect(await textAt(storage, PATH)).toBe(`written ${writes}`)
  expect(Object.keys(await treeOf(storage, 'curator'))).toHaveLength(writes - 1)
})

it('counts a document that another program puts there at last, after it wrote something else', async () => {
  const storage = inMemoryBackend()
  let reads = 0
  const busy: StorageBackend = {
    ...writtenInBetween(storage, 'unseen'),
    read: async (paths) => {
      if (paths.includes(PATH) && ++reads === 2) await write(storage, { [PATH]: 'then' })
      return storage.read(paths)
    },
  }
  expect(unwrap(await putDocument(busy, put))).toBe(true)
  expect(reads).toBe(2)
})

it('writes nothing if the document is there already', async () => {
  const storage = inMemoryBackend()
  await write(storage, { [PATH]: 'then' })
  const update = async () => err(new HermesError('io', 'Nothing was to be written.'))
  expect(unwrap(await putDocument({ ...storage, update }, put))).toBe(false)
})

it('replaces nothing of which it cannot keep a copy', async () => {
  const storage = inMemoryBackend()
  await write(storage, { [PATH]: 'theirs' })
  const full: StorageBackend = {
    ...storage,
    update: async (paths, plan, options) =>
      paths.includes(PATH) ? storage.update(paths, plan, options) : err(new HermesError('no_space', 'The disk is full.')),
  }
  expect(await putDocument(full, put)).toMatchObject({ ok: false, error: { code: 'no_space' } })
  expect(await textAt(storage, PATH)).toBe('theirs')
})
