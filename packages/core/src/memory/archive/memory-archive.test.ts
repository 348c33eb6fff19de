import { expect, it } from 'vitest'
import { inMemoryBackend } from '../../storage/in-memory.ts'
import { readDocument, updateDocument } from '../../storage/one-document.ts'
import { MemoryStore } from '../memory-store.ts'

const setUp = async () => {
  const storage = inMemoryBackend()
  const problems: unknown[] = []
  const store = new MemoryStore({ storage, onFailure: (error) => problems.push(error) })
  await store.apply('memory', { action: 'add', content: 'tea' })
  await store.apply('memory', { action: 'remove', oldText: 'tea' })
  const listed = await store.archived()
  const [entry] = listed.ok ? listed.value : []
  if (!entry) throw new Error('Nothing is archived.')
  return { storage, store, problems, entry }
}

it.each(['.back', '', '.json.json', '.txt'])('lists no copy that a person made of an archived entry (%s)', async (suffix) => {
  const { storage, store, entry, problems } = await setUp()
  const path = `memories/.archive/memory/${entry.id.slice('memory-'.length)}`
  const original = await readDocument(storage, `${path}.json`)
  const content = original.ok ? original.value?.bytes : undefined
  for (const name of [`${path}${suffix}`, 'memories/.archive/memory/mine.json']) await updateDocument(storage, name, () => content)
  expect(await store.archived('memory')).toEqual({ ok: true, value: [entry] })
  expect(problems).toEqual([])
})

it.each([7, undefined, null, '', 'memory', 'memory-', 'tea-0', '-'])('restores nothing for an id that is none: %s', async (id) => {
  const { store } = await setUp()
  expect(await Reflect.apply(store.restore, store, [id])).toMatchObject({ ok: false, error: { code: 'not_found' } })
})
