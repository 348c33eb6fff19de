/** Archiving and restoring on real back ends: the resulting paths, the remains of a crash, and archive entries made by others. */

import { manualClock } from '@hermes/testing'
import { describe, expect, test } from 'vitest'
import { SkillStore } from '../src/skills/skill-store.ts'
import { fileSystemBackend } from '../src/storage/files/file-backend.ts'
import { inMemoryBackend } from '../src/storage/in-memory.ts'
import { updateDocument } from '../src/storage/one-document.ts'
import type { StorageBackend } from '../src/storage/storage-backend.ts'
import { temporaryFolder } from './storage/support/temporary-home.ts'
import { refusal, unwrap } from './support/skill-library.ts'

const BACK_ENDS: readonly (readonly [string, () => StorageBackend])[] = [
  ['in memory', () => inMemoryBackend()],
  ['on disk', () => fileSystemBackend(temporaryFolder(), { onWarning: () => undefined })],
]

const NOW = Date.UTC(2026, 4, 12, 10, 15)
const REASON = 'not used any more'

const skillText = (name: string, description = `How to ${name}.`): string =>
  `---\nname: ${name}\ndescription: ${description}\n---\n\nDo it.\n`

/** Without the counts, which each change of a skill keeps. */
const paths = async (storage: StorageBackend): Promise<readonly string[]> =>
  unwrap(await storage.list('skills')).flatMap(({ path }) => (path === 'skills/.usage.json' ? [] : [path.slice(7)]))

const live = async (storage: StorageBackend) => (await paths(storage)).filter((path) => !path.startsWith('.archive/'))

const folders = async (storage: StorageBackend) => (await paths(storage)).filter((path) => /^\.archive\/(?!\.manifests)/.test(path))

describe.each(BACK_ENDS)('the archive of skills %s', (_, open) => {
  const openWith = async (files: Readonly<Record<string, string>> = {}) => {
    const storage = open()
    const clock = manualClock(NOW)
    const put = async (path: string, text: string) =>
      unwrap(await updateDocument(storage, `skills/${path}`, () => new TextEncoder().encode(text)))
    for (const [path, text] of Object.entries(files)) await put(path, text)
    return { storage, clock, put, store: new SkillStore({ storage, clock }) }
  }

  test('takes the whole folder and brings it back to its category, with all that is known of it in between', async () => {
    const { storage, store } = await openWith({
      'devops/deploy/SKILL.md': skillText('deploy'),
      'devops/deploy/references/api.md': 'api',
      'devops/release/SKILL.md': skillText('release'),
    })
    const before = await paths(storage)
    const archived = unwrap(await store.archive('deploy', { reason: ` ${REASON} `, absorbedInto: 'devops/release' }))
    expect(archived).toEqual({
      id: '.archive/deploy',
      name: 'deploy',
      path: 'deploy',
      from: 'devops/deploy',
      category: 'devops',
      archivedAt: NOW,
      reason: REASON,
      absorbedInto: 'release',
      description: 'How to deploy.',
    })
    expect(await live(storage)).toEqual(['devops/release/SKILL.md'])
    expect(await folders(storage)).toEqual(['.archive/deploy/SKILL.md', '.archive/deploy/references/api.md'])
    expect(unwrap(await store.list()).skills.map(({ name }) => name)).toEqual(['release'])
    expect(unwrap(await store.listArchived())).toEqual({ entries: [archived], problems: [] })
    expect(unwrap(await store.restore('deploy'))).toEqual({
      skill: { path: 'devops/deploy', folderName: 'deploy', category: 'devops', name: 'deploy' },
      archived,
      others: [],
    })
    expect(await paths(storage)).toEqual(before)
    expect(unwrap(await store.listArchived())).toEqual({ entries: [], problems: [] })
  })

  test('keeps every archived skill of one name apart, and restores the newest unless an id says which', async () => {
    const { store, storage, clock, put } = await openWith()
    const archive = async (category: string) => {
      await put(`${category}/x/SKILL.md`, skillText('x', `From ${category}.`))
      const { id } = unwrap(await store.archive('x', { reason: REASON }))
      clock.advance(1_000)
      return id
    }
    expect([await archive('a'), await archive('b'), await archive('c')]).toEqual([
      '.archive/x',
      '.archive/x-20260512101501',
      '.archive/x-20260512101502',
    ])
    const restored = unwrap(await store.restore('x'))
    expect(restored.skill.path).toBe('c/x')
    expect(restored.others.map(({ from, id }) => [from, id])).toEqual([
      ['b/x', '.archive/x-20260512101501'],
      ['a/x', '.archive/x'],
    ])
    unwrap(await store.archive('x', { reason: REASON }))
    expect(unwrap(await store.restore('.archive/x')).skill.path).toBe('a/x')
    expect(await live(storage)).toEqual(['a/x/SKILL.md'])
  })

  test('refuses to archive an unknown name, a folder with other skills, and a skill that names itself or an unknown skill as its successor', async () => {
    const { store, storage } = await openWith({
      'a/twin/SKILL.md': skillText('twin'),
      'b/twin/SKILL.md': skillText('twin'),
      'outer/SKILL.md': skillText('outer'),
      'outer/inner/SKILL.md': skillText('inner'),
      'single/SKILL.md': skillText('single'),
    })
    const before = await paths(storage)
    const codes = [
      await store.archive('nothing', { reason: REASON }),
      await store.archive('twin', { reason: REASON }),
      await store.archive('outer', { reason: REASON }),
      await store.archive('single', { reason: ' ' }),
      await store.archive('single', { reason: REASON, absorbedInto: 'nobody' }),
      await store.archive('single', { reason: REASON, absorbedInto: 'single' }),
    ].map((result) => refusal(result).code)
    expect(codes).toEqual(['not_found', 'ambiguous', 'invalid', 'empty', 'not_found', 'invalid'])
    expect(await paths(storage)).toEqual(before)
  })

  test('rejects the manifest of another skill, and one that is corrupt or leads elsewhere', async () => {
    const manifest = (from: string, name: string) =>
      JSON.stringify({ version: 1, name, from, category: null, description: '', reason: 'x', archivedAt: 5, absorbedInto: null })
    const { store, storage } = await openWith({
      '.archive/other/SKILL.md': skillText('other'),
      '.archive/.manifests/other.json': manifest('ops/some', 'some'),
      '.archive/corrupt/SKILL.md': skillText('corrupt'),
      '.archive/.manifests/corrupt.json': '{"version": 1,',
      '.archive/astray/SKILL.md': skillText('astray'),
      '.archive/.manifests/astray.json': manifest('../../outside', 'astray'),
      '.archive/hidden/SKILL.md': skillText('hidden'),
      '.archive/.manifests/hidden.json': manifest('.git/hidden', 'hidden'),
    })
    const { entries, problems } = unwrap(await store.listArchived())
    expect(entries.map(({ name, from }) => [name, from])).toEqual(
      expect.arrayContaining([
        ['other', undefined],
        ['corrupt', undefined],
        ['astray', undefined],
        ['hidden', undefined],
      ]),
    )
    expect(problems.map(({ code, details }) => [code, details['path']]).sort()).toEqual([
      ['unreadable', 'skills/.archive/.manifests/astray.json'],
      ['unreadable', 'skills/.archive/.manifests/corrupt.json'],
      ['unreadable', 'skills/.archive/.manifests/hidden.json'],
    ])
    for (const name of ['other', 'corrupt', 'astray', 'hidden']) unwrap(await store.restore(name))
    expect(await live(storage)).toEqual(['astray/SKILL.md', 'corrupt/SKILL.md', 'hidden/SKILL.md', 'other/SKILL.md'])
  })
})
