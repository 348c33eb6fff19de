/** Documents that are created without the lock, beside updates under it. */
import { expect, it } from 'vitest'
import { FileBackend } from '../../src/storage/files/file-backend.ts'
import { hasFlock } from '../../src/storage/files/flock.ts'
import type { Cut, StorageBackend } from '../../src/storage/storage-backend.ts'
import { temporaryFolder } from './support/temporary-home.ts'

const PATH = 'sessions/one.json'

/** Resolves to the text that is there afterwards. */
const createUnlessThere = (storage: Pick<StorageBackend, 'update'>, text: string, claim: boolean) =>
  storage.update(
    [PATH],
    (cut: Cut) => {
      const there = cut.document(PATH)
      if (there) return { value: new TextDecoder().decode(there.bytes) }
      return { put: { [PATH]: new TextEncoder().encode(text) }, value: text }
    },
    { durable: false, claim },
  )

it('is seen by an update under the lock that was about to create the same document', async () => {
  const home = temporaryFolder()
  const claiming = new FileBackend(home)
  await claiming.update(['memories/USER.md'], () => ({ value: undefined }))
  let claimed: unknown
  const locked = new FileBackend(home, {
    atStep: async (step) => {
      if (step === 'planned' && claimed === undefined) claimed = await createUnlessThere(claiming, 'claimed', true)
    },
  })
  expect(await createUnlessThere(locked, 'under the lock', false)).toEqual({ ok: true, value: 'claimed' })
  expect(claimed).toEqual({ ok: true, value: 'claimed' })
  await Promise.all([claiming.close(), locked.close()])
})

it.skipIf(!hasFlock())('writes nothing into a home whose kind of lock this process cannot do', async () => {
  const home = temporaryFolder()
  const flock = new FileBackend(home)
  await flock.update(['memories/USER.md'], () => ({
    put: { 'memories/USER.md': new TextEncoder().encode('Likes tea.') },
    value: undefined,
  }))
  const other = new FileBackend(home, { lock: 'exclusive-file' })
  expect(await createUnlessThere(other, 'claimed', true)).toMatchObject({ ok: false, error: { code: 'unwritable' } })
  expect(await createUnlessThere(flock, 'mine', false)).toEqual({ ok: true, value: 'mine' })
  await Promise.all([flock.close(), other.close()])
})
