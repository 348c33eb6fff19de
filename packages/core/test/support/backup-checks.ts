/** What holds for a skill library whose process died during `backupWork`. */
import { expect } from 'vitest'
import { listBackups } from '../../src/curator/backup/backup-list.ts'
import { openBackup, openBackupById } from '../../src/curator/backup/backup-open.ts'
import { recoverRollback } from '../../src/curator/rollback/rollback-recover.ts'
import { readRollbackState } from '../../src/curator/rollback/rollback-state.ts'
import { SkillStore } from '../../src/skills/skill-store.ts'
import type { StorageBackend } from '../../src/storage/storage-backend.ts'
import { abandonedIn } from './abandoned-manifests.ts'
import { libraryOf, textAt, treeOf, unwrap } from './skill-library.ts'

/** Every copy of a skill, live or archived, by name. */
const copiesOf = async (storage: StorageBackend): Promise<ReadonlyMap<string, readonly string[]>> => {
  const store = new SkillStore({ storage })
  const { skills, problems } = unwrap(await store.list())
  expect(problems.filter(({ code }) => code !== 'ambiguous')).toEqual([])
  expect(skills).not.toEqual([])
  const { entries } = unwrap(await store.listArchived())
  const copies = new Map<string, string[]>()
  for (const { name, path } of [...skills, ...entries.map((entry) => ({ name: entry.name, path: `.archive/${entry.path}` }))]) {
    copies.set(name, [...(copies.get(name) ?? []), (await textAt(storage, `skills/${path}/SKILL.md`)) ?? ''])
  }
  return copies
}

const expectWhole = async (storage: StorageBackend, names: Set<string>): Promise<void> => {
  const copies = await copiesOf(storage)
  for (const name of names) expect([name, copies.has(name)]).toEqual([name, true])
  for (const [name, texts] of copies) {
    names.add(name)
    // Never half a file, and never one of another skill.
    for (const text of texts)
      expect(text).toMatch(new RegExp(`^---\nname: ${name}\ndescription: How to ${name}\\.\n---\n\n(new in|edit \\d+ of|start) \\d+\n$`))
  }
}

/** In the middle of a rollback, each live document equals that of the target or that of the safety snapshot. */
const expectOldOrNew = async (storage: StorageBackend, target: string, safety: string): Promise<void> => {
  const opened = [unwrap(await openBackupById(storage, target)), unwrap(await openBackupById(storage, safety))]
  for (const [path, text] of Object.entries(await libraryOf(storage))) {
    if (!path.endsWith('/SKILL.md') || path.startsWith('skills/.archive/')) continue
    expect(opened.map(({ contents }) => new TextDecoder().decode(contents.get(path)?.bytes))).toContain(text)
  }
}

const expectAsThen = async (storage: StorageBackend, target: string, before: Readonly<Record<string, string>>): Promise<void> => {
  const { contents } = unwrap(await openBackupById(storage, target))
  const now = await libraryOf(storage)
  const abandoned = abandonedIn([...contents.keys()])
  const stillAbandoned = abandonedIn(Object.keys(now))
  for (const [path, { bytes }] of contents) {
    if (path === 'skills/.usage.json') continue
    if (!abandoned.has(path)) expect([path, now[path]]).toEqual([path, new TextDecoder().decode(bytes)])
    // Such a manifest is not brought back; one of an entry archived meanwhile may be in its place.
    else if (stillAbandoned.has(path)) expect([path, now[path]]).toEqual([path, before[path]])
  }
  const live = (paths: Iterable<string>) => [...paths].filter((path) => !/^skills\/\.(archive|usage)/.test(path)).sort()
  expect(live(Object.keys(now))).toEqual(live(contents.keys()))
}

/**
 * Checks the library, recovers it and checks it again. `names`: skills seen earlier, none of which may be gone; filled. Returns the phase
 * of the rollback in which the process died.
 */
export const expectRecovery = async (storage: StorageBackend, names: Set<string>): Promise<'staging' | 'swapping' | 'nothing'> => {
  await expectWhole(storage, names)
  const state = unwrap(await readRollbackState(storage))
  if (state?.phase === 'swapping') await expectOldOrNew(storage, state.target, state.safety)
  const before = await libraryOf(storage)
  const { recovered } = unwrap(await recoverRollback(storage, () => 0))
  expect(recovered).toBe(state ? 'finished' : 'nothing')
  if (state) {
    await expectWhole(storage, names)
    await expectAsThen(storage, state.target, before)
  }
  expect(unwrap(await readRollbackState(storage))).toBeUndefined()
  expect(await treeOf(storage, 'curator/backups/.staging')).toEqual({})
  const [newest] = unwrap(await listBackups(storage)).backups
  if (!newest) throw new Error('Every backup is gone.')
  unwrap(await openBackup(storage, newest))
  return state?.phase ?? 'nothing'
}
