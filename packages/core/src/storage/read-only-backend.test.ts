import { describe, expect, it } from 'vitest'
import { inMemoryBackend } from './in-memory.ts'
import { moveDocuments, readDocument, updateDocument } from './one-document.ts'
import { readOnlyBackend } from './read-only-backend.ts'

const bytes = (text: string) => new TextEncoder().encode(text)

const setUp = async () => {
  const storage = inMemoryBackend()
  await updateDocument(storage, 'skills/a/SKILL.md', () => bytes('a'))
  return { storage, view: readOnlyBackend(storage) }
}

describe('readOnlyBackend', () => {
  it('reads and lists what is there, also what was written since', async () => {
    const { storage, view } = await setUp()
    await updateDocument(storage, 'skills/b/SKILL.md', () => bytes('b'))
    const listed = await view.list('skills')
    expect(listed.ok && listed.value.map(({ path }) => path)).toEqual(['skills/a/SKILL.md', 'skills/b/SKILL.md'])
    expect(await readDocument(view, 'skills/b/SKILL.md')).toEqual(await readDocument(storage, 'skills/b/SKILL.md'))
  })

  it('refuses every write and every move with words, and asks no change for its bytes', async () => {
    const { storage, view } = await setUp()
    let asked = 0
    const written = await updateDocument(view, 'skills/a/SKILL.md', () => {
      asked++
      return undefined
    })
    const moved = await moveDocuments(view, 'skills/a', 'skills/.archive/a')
    expect(written).toMatchObject({ ok: false, error: { code: 'unwritable', message: expect.stringContaining("'skills/a/SKILL.md'") } })
    const paths = ['skills/a', 'skills/.archive/a']
    expect(moved).toMatchObject({ ok: false, error: { code: 'unwritable', details: { paths } } })
    expect(asked).toBe(0)
    expect(await readDocument(storage, 'skills/a/SKILL.md')).toMatchObject({ ok: true, value: { bytes: bytes('a') } })
  })

  it('names no more than the beginning of a long path', async () => {
    const { view } = await setUp()
    const written = await updateDocument(view, 'a'.repeat(10_000), () => undefined)
    expect(!written.ok && written.error.message.length).toBeLessThan(300)
  })

  it('leaves the storage behind it open', async () => {
    const { storage, view } = await setUp()
    await view.close()
    expect((await readDocument(storage, 'skills/a/SKILL.md')).ok).toBe(true)
  })
})
