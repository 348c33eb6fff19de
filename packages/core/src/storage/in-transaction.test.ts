import { expect, it } from 'vitest'
import { HermesError } from '../shared/hermes-error.ts'
import { err, ok } from '../shared/result.ts'
import { inMemoryBackend } from './in-memory.ts'
import { inTransaction } from './in-transaction.ts'
import type { Documents } from './plan.ts'
import type { StorageBackend } from './storage-backend.ts'

const bytes = (text: string) => new TextEncoder().encode(text)
const text = (content: Uint8Array | undefined) => new TextDecoder().decode(content)

const open = () => {
  const documents: Documents = new Map([['count', { bytes: bytes('0') }]])
  const inner = inMemoryBackend(documents)
  const updates: (readonly string[])[] = []
  const storage: StorageBackend = {
    ...inner,
    update: (paths, plan, options) => {
      updates.push(paths)
      return inner.update(paths, plan, options)
    },
  }
  const put = (to: StorageBackend, path: string, content: string) =>
    to.update([path], () => ({ put: { [path]: bytes(content) }, value: 0 }))
  const addOne = async (to: StorageBackend) => {
    const added = await to.update(['count'], (cut) => {
      const next = String(Number(text(cut.document('count')?.bytes)) + 1)
      return { put: { count: bytes(next) }, value: next }
    })
    await put(to, 'copy', added.ok ? added.value : '')
    return added
  }
  return { documents, inner, storage, updates, put, addOne }
}

it('writes in one update what the work has written in several', async () => {
  const { documents, storage, updates, addOne } = open()
  expect(await inTransaction(storage, addOne)).toEqual(ok('1'))
  expect([text(documents.get('count')?.bytes), text(documents.get('copy')?.bytes)]).toEqual(['1', '1'])
  expect(updates).toHaveLength(1)
})

it('does the work again on what others have written meanwhile, and gives up in the end', async () => {
  const { documents, inner, storage, put, addOne } = open()
  let runs = 0
  const disturbed = (times: number) =>
    inTransaction(storage, async (to) => {
      const added = await addOne(to)
      if (runs++ < times) await put(inner, 'count', String(runs * 10))
      return added
    })
  expect(await disturbed(2)).toEqual(ok('21'))
  expect(text(documents.get('copy')?.bytes)).toBe('21')
  runs = 0
  expect(await disturbed(99)).toMatchObject({ ok: false, error: { code: 'locked' } })
  expect(text(documents.get('copy')?.bytes)).toBe('21')
})

it('writes nothing if the work fails, if nothing was changed, or if the last plan refuses', async () => {
  const { documents, storage, updates, addOne } = open()
  const failed = err(new HermesError('io', 'broken'))
  expect(await inTransaction(storage, async (to) => ((await addOne(to)).ok ? failed : failed))).toBe(failed)
  expect(await inTransaction(storage, (to) => to.list(''))).toMatchObject({ ok: true })
  expect(updates).toEqual([])
  const refusal = new Error('The lease is lost.')
  const refused = inTransaction(storage, addOne, () => ({
    paths: ['lease'],
    plan: () => {
      throw refusal
    },
  }))
  await expect(refused).rejects.toBe(refusal)
  expect([...documents.keys()]).toEqual(['count'])
})

it('adds what the last plan writes, of what the work has resolved to', async () => {
  const { documents, storage, updates, addOne } = open()
  const done = await inTransaction(storage, addOne, (value) => ({
    paths: ['lease'],
    plan: () => ({ put: { lease: bytes(`over ${value}`) }, append: { copy: bytes('!') }, value: undefined }),
  }))
  expect(done).toEqual(ok('1'))
  expect(updates).toHaveLength(1)
  expect(['lease', 'copy'].map((path) => text(documents.get(path)?.bytes))).toEqual(['over 1', '1!'])
})
