import { expect, it } from 'vitest'
import { textAt, treeOf, unwrap, write } from '../../../test/support/skill-library.ts'
import { inMemoryBackend } from '../../storage/backends/in-memory.ts'
import type { StorageBackend } from '../../storage/storage-backend.ts'
import { putDocument, replacedPath } from './rollback-put.ts'

const PATH = 'skills/deploy/SKILL.md'
const put = {
  path: PATH,
  content: { bytes: new TextEncoder().encode('then') },
  startedAt: Date.UTC(2026, 4, 16, 10),
  isBackedUp: () => false,
}

/** Another program writes `text` after the document was read and before it is replaced. */
const writtenInBetween = (storage: StorageBackend, text: string): StorageBackend => {
  let isWritten = false
  return {
    ...storage,
    update: async (path, change) => {
      if (path === PATH && !isWritten) {
        isWritten = true
        await write(storage, { [PATH]: text })
      }
      return storage.update(path, change)
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
  expect(Object.values(await treeOf(storage, replacedPath(PATH, put.startedAt).split('/').slice(0, -2).join('/'))).sort()).toEqual(kept)
})
