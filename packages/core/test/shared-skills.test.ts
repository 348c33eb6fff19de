/** Reading the home's own skills together with shared ones. */

import { describe, expect, test, vi } from 'vitest'
import { SkillStore } from '../src/skills/skill-store.ts'
import { inMemoryBackend } from '../src/storage/in-memory.ts'
import type { StorageBackend } from '../src/storage/storage-backend.ts'
import { countingStorage } from './support/counting-storage.ts'
import { skillText, unwrap, write } from './support/skill-library.ts'

const storageWith = async (documents: Readonly<Record<string, string>>): Promise<StorageBackend> => {
  const storage = inMemoryBackend()
  await write(storage, documents)
  return storage
}

/** Creates skills by folder; the name in the front matter is the folder unless given as `folder: name`. */
const withSkills = (...skills: readonly string[]): Promise<StorageBackend> =>
  storageWith(
    Object.fromEntries(
      skills.map((skill) => {
        const [path = '', name = path.split('/').at(-1) ?? ''] = skill.split(': ')
        return [`skills/${path}/SKILL.md`, skillText(name)]
      }),
    ),
  )

const readerOf = (own: StorageBackend, ...shared: readonly StorageBackend[]) => new SkillStore({ storage: own }).withShared(shared)

const listed = async (own: StorageBackend, ...shared: readonly StorageBackend[]) => {
  const { skills, problems } = unwrap(await readerOf(own, ...shared).list())
  return {
    skills: skills.map(({ path, sharedFrom }) => (sharedFrom === undefined ? path : `${sharedFrom}: ${path}`)),
    problems: problems.map(({ code, details }) => ({ code, ...details })),
  }
}

describe('skills that are shared', () => {
  test('are listed after those of the home', async () => {
    const own = await withSkills('zebra', 'ops/tidy')
    const shared = await withSkills('apple', 'ops/deploy')
    expect(await listed(own, shared)).toEqual({ skills: ['zebra', 'ops/tidy', '0: apple', '0: ops/deploy'], problems: [] })
  })

  test('of an earlier storage hide those of a later one', async () => {
    const shared = [await withSkills('deploy'), await withSkills('ops/deploy', 'lint')] as const
    expect((await listed(inMemoryBackend(), ...shared)).skills).toEqual(['0: deploy', '1: lint'])
    const viewed = unwrap(await readerOf(inMemoryBackend(), ...shared).view('deploy'))
    expect(viewed).toMatchObject({ path: 'deploy', sharedFrom: 0 })
  })

  test('of one storage and one name are distinguished by their paths', async () => {
    const shared = await withSkills('a/deploy', 'b/deploy')
    const reader = readerOf(inMemoryBackend(), shared)
    expect(await reader.view('deploy')).toMatchObject({
      ok: false,
      error: { code: 'ambiguous', details: { candidates: ['a/deploy/SKILL.md', 'b/deploy/SKILL.md'] } },
    })
    expect(unwrap(await reader.view('b/deploy')).path).toBe('b/deploy')
  })

  test('are read once in a process, for however many homes', async () => {
    const names = Array.from({ length: 300 }, (_, index) => `skill-${index}`)
    const { storage, read } = countingStorage(await withSkills(...names))
    const list = async () => unwrap(await readerOf(inMemoryBackend(), storage).list()).skills.length
    expect(await Promise.all([list(), list(), list()])).toEqual([300, 300, 300])
    expect(await list()).toBe(300)
    expect(read()).toBe(300)
    await write(storage, { 'skills/skill-7/SKILL.md': skillText('skill-7', 'Anew.') })
    expect(await list()).toBe(300)
    expect(read()).toBe(301)
  })
})

test('a shared storage that hung is asked again after a minute', async () => {
  vi.useFakeTimers()
  try {
    const inner = await withSkills('deploy')
    let lists = 0
    const list: StorageBackend['list'] = (prefix) => (++lists === 1 ? new Promise(() => {}) : inner.list(prefix))
    const storage = { ...inner, list }
    void readerOf(inMemoryBackend(), storage).list()
    void readerOf(inMemoryBackend(), storage).list()
    await vi.advanceTimersByTimeAsync(59_000)
    expect(lists).toBe(1)
    await vi.advanceTimersByTimeAsync(2_000)
    expect((await listed(inMemoryBackend(), storage)).skills).toEqual(['0: deploy'])
  } finally {
    vi.useRealTimers()
  }
})
