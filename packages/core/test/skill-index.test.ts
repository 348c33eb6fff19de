/** The cache of a skill store between two listings: nothing is read twice, and no change by any writer is missed. */

import { mkdirSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Result } from '../src/shared/result.ts'
import { SkillStore } from '../src/skills/skill-store.ts'
import { fileSystemBackend } from '../src/storage/files/file-backend.ts'
import { inMemoryBackend } from '../src/storage/in-memory.ts'
import { moveDocuments, updateDocument } from '../src/storage/one-document.ts'
import type { StorageBackend, StoredDocument } from '../src/storage/storage-backend.ts'
import { temporaryFolder } from './storage/support/temporary-home.ts'

const unwrap = <T>(result: Result<T>): T => {
  if (!result.ok) throw result.error
  return result.value
}

const skillText = (name: string, description: string): string => `---\nname: ${name}\ndescription: ${description}\n---\n\nDo it.\n`

const shared = (): (() => StorageBackend) => {
  const documents = new Map<string, StoredDocument>()
  return () => inMemoryBackend(documents)
}

const onDisk = (): (() => StorageBackend) => {
  const home = temporaryFolder()
  return () => fileSystemBackend(home, { onWarning: () => undefined })
}

describe.each([
  ['in memory', shared],
  ['on disk', onDisk],
] as const)('what a skill store keeps %s', (_, create) => {
  const setUp = async () => {
    const open = create()
    const other = open()
    const storage = open()
    const reads: string[] = []
    const watched: StorageBackend = {
      ...storage,
      read: (paths) => {
        reads.push(...paths)
        return storage.read(paths)
      },
    }
    const put = async (path: string, text: string) =>
      unwrap(await updateDocument(other, `skills/${path}`, () => new TextEncoder().encode(text)))
    await put('a/deploy/SKILL.md', skillText('deploy', 'One.'))
    await put('b/tidy/SKILL.md', skillText('tidy', 'Two.'))
    await put('b/tidy/references/r.md', 'r')
    const store = new SkillStore({ storage: watched })
    const readsOf = async <T>(call: Promise<Result<T>>): Promise<readonly string[]> => {
      reads.length = 0
      await call
      return [...reads]
    }
    return { store, other, put, readsOf, watched }
  }

  const listed = async (store: SkillStore) => unwrap(await store.list()).skills.map(({ name, description }) => `${name}: ${description}`)

  test('reads every skill once, and no other file', async () => {
    const { store, readsOf } = await setUp()
    expect(await readsOf(store.list())).toEqual(['skills/a/deploy/SKILL.md', 'skills/b/tidy/SKILL.md'])
    expect(await readsOf(store.list())).toEqual([])
    expect(await listed(store)).toEqual(['deploy: One.', 'tidy: Two.'])
  })

  test('reads again what another handle wrote, of the same size too, and only that', async () => {
    const { store, put, readsOf } = await setUp()
    await store.list()
    for (const description of ['Six.', 'Ten.', 'Six.']) {
      await put('a/deploy/SKILL.md', skillText('deploy', description))
      expect(await readsOf(store.list())).toEqual(['skills/a/deploy/SKILL.md'])
      expect(await listed(store)).toEqual([`deploy: ${description}`, 'tidy: Two.'])
    }
  })

  test('follows what is moved, exchanged, added and removed', async () => {
    const { store, other, put } = await setUp()
    await store.list()
    unwrap(await moveDocuments(other, 'skills/a/deploy', 'skills/away'))
    unwrap(await moveDocuments(other, 'skills/b/tidy', 'skills/a/deploy'))
    unwrap(await moveDocuments(other, 'skills/away', 'skills/b/tidy'))
    expect(unwrap(await store.list()).skills.map(({ path, name }) => `${path} ${name}`)).toEqual(['a/deploy tidy', 'b/tidy deploy'])
    expect(unwrap(await store.view('b/tidy')).name).toBe('deploy')
    unwrap(await updateDocument(other, 'skills/b/tidy/SKILL.md', () => undefined))
    await put('c/new/SKILL.md', skillText('new', 'Three.'))
    expect(await listed(store)).toEqual(['tidy: Two.', 'new: Three.'])
    await put('b/tidy/SKILL.md', skillText('tidy-again', 'Four.'))
    expect(await listed(store)).toEqual(['tidy: Two.', 'tidy-again: Four.', 'new: Three.'])
  })

  test('reads no archived skill twice, and tries again what could not be read', async () => {
    const { store, put, other, readsOf } = await setUp()
    await put('.archive/old/SKILL.md', skillText('old', 'Old.'))
    unwrap(await updateDocument(other, 'skills/bad/SKILL.md', () => Uint8Array.of(0xff)))
    expect(await readsOf(store.listArchived())).toContain('skills/.archive/old/SKILL.md')
    expect(await readsOf(store.listArchived())).toEqual(['skills/bad/SKILL.md'])
    expect(unwrap(await store.list()).problems.map(({ code }) => code)).toEqual(['unreadable'])
    await put('bad/SKILL.md', skillText('good', 'Now.'))
    expect(await listed(store)).toContain('good: Now.')
  })

  test('answers with the text as it is, should a skill be renamed between the listing and the reading', async () => {
    const { watched, put } = await setUp()
    let isRenamed = false
    const racing: StorageBackend = {
      ...watched,
      list: async (prefix) => {
        const answer = await watched.list(prefix)
        if (isRenamed) await put('b/tidy/SKILL.md', skillText('renamed', 'Two.'))
        return answer
      },
    }
    const store = new SkillStore({ storage: racing })
    await put('b/tidy/SKILL.md', skillText('other-name', 'Two.'))
    await store.list()
    isRenamed = true
    expect(await store.view('other-name')).toMatchObject({ ok: false, error: { code: 'not_found' } })
    isRenamed = false
    expect(unwrap(await store.view('renamed')).path).toBe('b/tidy')
  })
})

describe('files that other programs write in place', () => {
  test('are never missed, whatever time they are given afterwards and however fast they follow each other', async () => {
    const home = temporaryFolder()
    const file = join(home, 'skills/deploy/SKILL.md')
    mkdirSync(join(home, 'skills/deploy'), { recursive: true })
    const store = new SkillStore({ storage: fileSystemBackend(home, { onWarning: () => undefined }) })
    for (let round = 0; round < 30; round++) {
      // The size, the modification time and the inode stay the same.
      writeFileSync(file, skillText('deploy', `Round ${String(round).padStart(2, '0')}.`))
      utimesSync(file, 1_700_000_000, 1_700_000_000)
      expect(unwrap(await store.list()).skills[0]?.description).toBe(`Round ${String(round).padStart(2, '0')}.`)
    }
  })
})
