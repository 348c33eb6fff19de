import { describe, expect, it } from 'vitest'
import { movedFrom } from '../../../test/support/calls.ts'
import { skillText, textAt, treeOf, unwrap, write } from '../../../test/support/skill-library.ts'
import { HermesError } from '../../shared/hermes-error.ts'
import { err } from '../../shared/result.ts'
import { manifestPath } from '../../skills/archive.ts'
import { toFolder } from '../../skills/skill-discovery.ts'
import { SkillStore } from '../../skills/skill-store.ts'
import { inMemoryBackend } from '../../storage/in-memory.ts'
import type { StorageBackend } from '../../storage/storage-backend.ts'
import { leaveArchive, leaveLibrary } from './rollback-leave.ts'
import type { Leaving } from './rollback-plan.ts'

const AT = Date.UTC(2026, 4, 16, 10)
const ENTRY = 'skills/.archive/fresh-20260516100000'
const FOLDER = '2026-05-16T10-00-00Z'
const ASIDE = `curator/backups/.replaced/${FOLDER}`
const SKILL = toFolder('ops/fresh')

const broken = async () => err(new HermesError('io', 'EIO: i/o error'))

/** The store can archive nothing, so a skill is moved as a folder. */
const leave = (storage: StorageBackend, leaving: Leaving) => {
  const store = new SkillStore({ storage: { ...storage, list: broken }, clock: () => AT })
  const options = {
    store,
    archive: async () => [await broken()],
    reopen: broken,
    listed: new Map(),
    hasTwin: async () => false,
    reason: 'rolled back',
    startedAt: AT,
    folder: FOLDER,
  }
  return leaveLibrary(storage, leaving, options)
}

const LIBRARY = { 'skills/ops/fresh/SKILL.md': 'fresh', 'skills/ops/fresh/references/a.md': 'a' }

describe('what leaves the library', () => {
  const folder = 'skills/ops/fresh'
  const file = `${folder}/references/a.md`
  it.each([
    ['a skill that the store cannot archive', { kind: 'skill', path: folder, skill: SKILL }, ENTRY, (name: string) => name],
    ['a file of a skill', { kind: 'skill-file', path: file, skill: SKILL }, ENTRY, (name: string) => `${name}/references/a.md`],
    ['a document', { kind: 'document', path: file, skill: undefined }, `${ASIDE}/ops/fresh/references/a.md`, (name: string) => name],
  ] as const)('gets the first free name: %s', async (_what, leaving, name, at) => {
    const number = leaving.kind === 'document' ? '~' : '-'
    const taken = [name, `${name}${number}2`, `${name}${number}3`]
    for (const count of [0, 1, 2]) {
      const storage = inMemoryBackend()
      const before = Object.fromEntries(
        taken.slice(0, count).map((each) => [`${at(each)}${leaving.kind === 'skill' ? '/x' : ''}`, 'taken']),
      )
      await write(storage, { ...LIBRARY, ...before })
      const to = at(taken[count] ?? '')
      expect(unwrap(await leave(storage, leaving))).toEqual({ from: leaving.path, to })
      expect(await treeOf(storage, '')).toMatchObject(before)
      expect(await textAt(storage, leaving.kind === 'skill' ? `${to}/references/a.md` : to)).toBe('a')
      expect(await textAt(storage, file)).toBeUndefined()
    }
  })

  it('is archived if it is a skill that has come since the library was listed', async () => {
    const storage = inMemoryBackend()
    await write(storage, { [`${folder}/SKILL.md`]: skillText('fresh') })
    const store = new SkillStore({ storage, clock: () => AT })
    const options = { store, archive: broken, reopen: broken, listed: new Map(), hasTwin: async () => false }
    const more = { reason: 'rolled back', startedAt: AT, folder: FOLDER }
    const left = await leaveLibrary(
      storage,
      { kind: 'skill', path: folder, skill: SKILL },
      { ...options, archive: async () => [], ...more },
    )
    expect(unwrap(left)).toEqual({ from: folder, to: 'skills/.archive/fresh' })
    expect(unwrap(await store.listArchived()).entries).toMatchObject([{ name: 'fresh', from: 'ops/fresh', reason: 'rolled back' }])
  })

  it('stays where it is if a hundred names are taken', async () => {
    const inner = inMemoryBackend()
    const storage: StorageBackend = {
      ...inner,
      update: async (paths, plan) =>
        movedFrom(paths) === undefined ? inner.update(paths, plan) : err(new HermesError('occupied', 'taken')),
    }
    await write(storage, LIBRARY)
    const left = await leave(storage, { kind: 'document', path: file, skill: undefined })
    expect(left).toMatchObject({ ok: false, error: { code: 'occupied', details: { path: file } } })
  })
})

describe('an entry that leaves the archive', () => {
  const MANIFEST = manifestPath('fresh')
  const archive = async () => {
    const storage = inMemoryBackend()
    await write(storage, { 'skills/.archive/fresh/SKILL.md': 'fresh', [MANIFEST]: '{}' })
    return storage
  }

  it('takes its manifest along', async () => {
    const storage = await archive()
    expect(unwrap(await leaveArchive(storage, 'fresh', FOLDER, () => false))).toMatchObject({ from: 'skills/.archive/fresh' })
    expect(await treeOf(storage)).toEqual({})
  })

  it('leaves the manifest that the rollback has restored', async () => {
    const storage = await archive()
    unwrap(await leaveArchive(storage, 'fresh', FOLDER, (path) => path === MANIFEST))
    expect(await treeOf(storage)).toEqual({ [MANIFEST]: '{}' })
  })

  it('keeps its manifest if it cannot be moved', async () => {
    const storage = await archive()
    const stuck: StorageBackend = {
      ...storage,
      update: (paths, plan) => (movedFrom(paths) === undefined || movedFrom(paths) === MANIFEST ? storage.update(paths, plan) : broken()),
    }
    expect(await leaveArchive(stuck, 'fresh', FOLDER, () => false)).toMatchObject({ ok: false, error: { code: 'io' } })
    expect(await textAt(storage, MANIFEST)).toBe('{}')
  })
})
