/**
 * A process that is killed at any moment of a backup or a rollback leaves every skill live or archived, and the next start repairs the
 * library.
 */
import { describe, expect, it } from 'vitest'
import { listBackups } from '../src/curator/backup/backup-list.ts'
import { openBackup, openBackupById } from '../src/curator/backup/backup-open.ts'
import { createSkillBackup } from '../src/curator/backup/skill-backup.ts'
import { recoverRollback } from '../src/curator/rollback/rollback-recover.ts'
import { readRollbackState } from '../src/curator/rollback/rollback-state.ts'
import { SkillStore } from '../src/skills/skill-store.ts'
import { fileSystemBackend } from '../src/storage/backends/file-system/index.ts'
import type { StorageBackend } from '../src/storage/storage-backend.ts'
import { type Child, startChild } from './storage/support/child.ts'
import { temporaryFolder } from './storage/support/temporary-home.ts'
import { bundledProgram } from './support/bundled-program.ts'
import { seededRandom } from './support/seeded-random.ts'
import { libraryOf, skillText, textAt, treeOf, unwrap, write } from './support/skill-library.ts'

const HOMES = 2
const KILLS_PER_HOME = 25
const MAX_CHANGES = 25
const DAY_MS = 24 * 60 * 60 * 1000
const START = Date.UTC(2026, 0, 1)

const script = bundledProgram(new URL('./support/backup-process.ts', import.meta.url))

/** Kills the process after the given number of announced changes, so that it dies in the middle of one. Returns the announcements. */
const killAfter = async (child: Child, changes: number): Promise<readonly string[]> => {
  const seen: string[] = []
  while (seen.length < changes) seen.push(await child.line())
  child.process.kill('SIGKILL')
  expect(await child.ended).toBe('SIGKILL')
  return seen
}

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

const expectAsThen = async (storage: StorageBackend, target: string): Promise<void> => {
  const { contents } = unwrap(await openBackupById(storage, target))
  const now = await libraryOf(storage)
  for (const [path, { bytes }] of contents) if (path !== 'skills/.usage.json') expect(now[path]).toBe(new TextDecoder().decode(bytes))
  const live = (paths: Iterable<string>) => [...paths].filter((path) => !/^skills\/\.(archive|usage)/.test(path)).sort()
  expect(live(Object.keys(now))).toEqual(live(contents.keys()))
}

describe('kill -9', () => {
  it(`loses no skill and leaves nothing half done in ${HOMES * KILLS_PER_HOME} rounds`, { timeout: 180_000 }, async () => {
    const random = seededRandom(20260516)
    const killedAt = new Map<string, number>()
    const outcomes = new Map<string, number>()
    const start = (home: string, round: number) =>
      startChild(process.execPath, [script, JSON.stringify({ home, seed: round, startAt: START + round * 90 * DAY_MS })])
    for (let index = 0; index < HOMES; index++) {
      const home = temporaryFolder()
      const storage = fileSystemBackend(home)
      const first = index * KILLS_PER_HOME
      for (const name of ['skill-0', 'skill-1', 'skill-2'])
        await write(storage, { [`skills/${name}/SKILL.md`]: skillText(name, 'start 0') })
      unwrap(await createSkillBackup({ storage, clock: () => START + first * 90 * DAY_MS, reason: 'manual' }))
      const names = new Set<string>()
      let next = start(home, first)
      for (let round = first; round < first + KILLS_PER_HOME; round++) {
        const child = next
        expect(await child.line()).toBe('ready')
        // Starts the next process in advance, because starting takes most of the time of a round.
        if (round + 1 < first + KILLS_PER_HOME) next = start(home, round + 1)
        child.say('go')
        const changes = await killAfter(child, 1 + Math.floor(random() * MAX_CHANGES))
        const last = changes.at(-1)?.replace(/^(\w+ (?:skills|curator)\/(?:backups(?:\/\.\w+)?|\.\w+)?).*/, '$1') ?? ''
        killedAt.set(last, (killedAt.get(last) ?? 0) + 1)

        await expectWhole(storage, names)
        const state = unwrap(await readRollbackState(storage))
        if (state?.phase === 'swapping') await expectOldOrNew(storage, state.target, state.safety)
        const { recovered } = unwrap(await recoverRollback(storage, () => START))
        expect(recovered).toBe(state ? 'finished' : 'nothing')
        outcomes.set(state?.phase ?? recovered, (outcomes.get(state?.phase ?? recovered) ?? 0) + 1)
        if (state) {
          await expectWhole(storage, names)
          await expectAsThen(storage, state.target)
        }
        expect(unwrap(await readRollbackState(storage))).toBeUndefined()
        expect(await treeOf(storage, 'curator/backups/.staging')).toEqual({})
        const [newest] = unwrap(await listBackups(storage)).backups
        if (!newest) throw new Error('Every backup is gone.')
        unwrap(await openBackup(storage, newest))
      }
      await storage.close()
    }
    // Enough kills hit the intended phases.
    expect(outcomes.get('swapping')).toBeGreaterThan(5)
    expect([...killedAt.keys()].filter((place) => place.includes('curator/backups')).length).toBeGreaterThan(2)
  })
})
