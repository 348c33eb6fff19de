/** Importing a large library surveys the skills of the home a few times, not once for each skill. */
import { expect, it } from 'vitest'
import { inMemoryBackend } from '../../src/storage/in-memory.ts'
import type { StorageBackend } from '../../src/storage/storage-backend.ts'
import { openAt, put, skillText, unwrap } from '../erasure/fill-home.ts'

const countingLists = (inner: StorageBackend) => {
  const counted = { lists: 0 }
  const list: StorageBackend['list'] = (prefix) => {
    if (prefix === 'skills') counted.lists += 1
    return inner.list(prefix)
  }
  return { counted, storage: { ...inner, list } }
}

it('looks through the library a few times for many skills', async () => {
  const source = inMemoryBackend()
  for (let index = 0; index < 160; index++) await put(source, `skills/c${index % 3}/s-${index}/SKILL.md`, skillText(`s-${index}`, 'Do it.'))
  const archive = unwrap(await openAt(source).export())
  const { storage, counted } = countingLists(inMemoryBackend())
  expect(unwrap(await openAt(storage).import(archive)).counts.skills).toEqual({ added: 160, alreadyThere: 0, held: 0, refused: 0 })
  expect(counted.lists).toBeLessThanOrEqual(12)
  expect(unwrap(await storage.list('skills/.locks'))).toEqual([])
})

it('still sees that two skills of the archive have one name, and takes one inside another', async () => {
  const source = inMemoryBackend()
  await put(source, 'skills/a/SKILL.md', skillText('a', 'Outer.'))
  await put(source, 'skills/a/inner/SKILL.md', skillText('inner', 'Inner.'))
  await put(source, 'skills/b/twin/SKILL.md', skillText('twin', 'One.'))
  await put(source, 'skills/c/twin/SKILL.md', skillText('twin', 'Two.'))
  await put(source, 'skills/d/same/SKILL.md', skillText('same', 'Same.'))
  await put(source, 'skills/e/same/SKILL.md', skillText('same', 'Same.'))
  const report = unwrap(await openAt(inMemoryBackend()).import(unwrap(await openAt(source).export())))
  const { added, alreadyThere } = report.counts.skills
  expect({ added, alreadyThere, refused: report.refused.map(({ name, code }) => `${name}: ${code}`) }).toEqual({
    added: 4,
    alreadyThere: 1,
    refused: ['skills/c/twin: occupied'],
  })
})
