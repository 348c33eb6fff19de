/** Moves that are asked for at once share their locks; each still succeeds or fails by itself. */
import { readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { FileBackend, fileSystemBackend } from '../../src/storage/files/file-backend.ts'
import { hasFlock } from '../../src/storage/files/flock.ts'
import { inTransaction } from '../../src/storage/in-transaction.ts'
import { moveDocuments, updateDocument } from '../../src/storage/one-document.ts'
import type { Cut, Plan, StorageBackend } from '../../src/storage/storage-backend.ts'
import { filesOnDisk, temporaryFolder } from './support/temporary-home.ts'

const bytes = (text: string) => () => new TextEncoder().encode(text)

const openHome = async (documents: readonly string[]) => {
  const home = temporaryFolder()
  const storage = fileSystemBackend(home)
  for (const path of documents) expect(await updateDocument(storage, path, bytes(path))).toMatchObject({ ok: true })
  return { home, storage }
}

it('never moves a folder into itself through a link', async () => {
  const { home, storage } = await openHome(['a/one'])
  symlinkSync(join(home, 'a'), join(home, 'link'))
  expect(await moveDocuments(storage, 'a', 'link/below')).toMatchObject({ ok: false, error: { code: 'invalid_path' } })
  expect(readFileSync(join(home, 'a/one'), 'utf8')).toBe('a/one')
})

it('lets a transaction write into a folder that it has moved', async () => {
  const { home, storage } = await openHome(['from/one/SKILL.md'])
  const done = await inTransaction(storage, async (over) => {
    const moved = await moveDocuments(over, 'from/one', 'to/one')
    return moved.ok ? updateDocument(over, 'to/one/references/api.md', bytes('new')) : moved
  })
  expect(done).toMatchObject({ ok: true })
  expect(readFileSync(join(home, 'to/one/SKILL.md'), 'utf8')).toBe('from/one/SKILL.md')
  expect(readFileSync(join(home, 'to/one/references/api.md'), 'utf8')).toBe('new')
})

it("leaves Python's lock files behind", async () => {
  const { home, storage } = await openHome(['memories/MEMORY.md', 'memories/USER.md'])
  writeFileSync(join(home, 'memories/other.lock'), 'a document')
  expect(await moveDocuments(storage, 'memories', 'old')).toMatchObject({ ok: true })
  expect(filesOnDisk(join(home, 'old'))).toEqual(['MEMORY.md', 'USER.md', 'other.lock'])
})

it('names every link among what is to be moved', async () => {
  const { home, storage } = await openHome(['real', 'other'])
  for (const name of ['one', 'two']) symlinkSync('real', join(home, name))
  const move = ['one', 'other', 'two'].map((name) => [name, `to-${name}`] as const)
  const moved = await storage.update(move.flat(), () => ({ move, value: undefined }))
  expect(moved).toMatchObject({ ok: false, error: { code: 'invalid_path', details: { path: 'one' } } })
  const { errors } = (moved.ok ? undefined : moved.error.cause) as AggregateError
  expect(errors.map(({ details }) => details)).toEqual([{ path: 'one' }, { path: 'two' }])
  expect(filesOnDisk(home)).toContain('other')
  const alone = await moveDocuments(storage, 'one', 'to-one')
  expect([alone.ok, !alone.ok && alone.error.cause]).toEqual([false, undefined])
})

it('does what is asked for at once one after the other, beside folders that are listed', async () => {
  const { storage } = await openHome(['a/1', 'b/1', 'c'])
  const list = (cut: Cut) => ({ value: cut.list('a/').map(({ path }) => path) })
  const all = await Promise.all([
    updateDocument(storage, 'd', bytes('d')),
    moveDocuments(storage, 'a', 'a2'),
    moveDocuments(storage, 'b', 'a'),
    storage.update(['a/'], list),
    moveDocuments(storage, 'a', 'b'),
    updateDocument(storage, 'c', bytes('more')),
    storage.update(['a/'], list),
  ])
  expect(all.map((each) => each.ok)).toEqual(all.map(() => true))
  expect([all[3], all[6]]).toMatchObject([{ value: ['a/1'] }, { value: [] }])
  const listed = await storage.list('')
  expect(listed.ok && listed.value.map(({ path }) => path)).toEqual(['a2/1', 'b/1', 'c', 'd'])
})

/** Documents that are created without the lock, beside updates under it. */
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

it('appends, makes a script, and meets a folder or a document, as an update under the lock does', async () => {
  const home = temporaryFolder()
  const storage = new FileBackend(home)
  const claim = (plan: () => Plan<unknown>) => storage.update([PATH], plan, { durable: false, claim: true })
  const [bytes, file] = [new TextEncoder().encode('x'), join(home, PATH)]
  expect(await claim(() => ({ append: { [PATH]: bytes }, value: 1 }))).toEqual({ ok: true, value: 1 })
  expect(await claim(() => ({ append: { [PATH]: bytes }, value: 2 }))).toEqual({ ok: true, value: 2 })
  expect(readFileSync(file, 'utf8')).toBe('xx')
  expect(await claim(() => ({ put: { [PATH]: null }, value: 3 }))).toEqual({ ok: true, value: 3 })
  expect(await claim(() => ({ put: { [PATH]: { bytes, executable: true } }, value: 4 }))).toEqual({ ok: true, value: 4 })
  expect(statSync(file).mode & 0o777).toBe(0o700)
  expect(await claim(() => ({ put: { [PATH]: bytes }, value: 5 }))).toEqual({ ok: true, value: 5 })
  await expect(claim(() => Promise.resolve() as never)).rejects.toThrow(TypeError)
  expect(await updateDocument(storage, PATH, () => undefined)).toMatchObject({ ok: true })
  expect(await updateDocument(storage, `${PATH}/below`, () => bytes)).toMatchObject({ ok: true })
  expect(await createUnlessThere(storage, 'x', true)).toMatchObject({ ok: false, error: { code: 'invalid_path' } })
  await storage.close()
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
