/**
 * A process that dies at any moment of a backup or a rollback leaves every skill live or archived, and the next start repairs the library.
 */
import { describe, expect, it } from 'vitest'
import { bundledProgram } from '../../../scripts/support/bundled-program.ts'
import { createSkillBackup } from '../src/curator/backup/skill-backup.ts'
import { fileSystemBackend } from '../src/storage/files/index.ts'
import { inMemoryBackend } from '../src/storage/in-memory.ts'
import type { StorageBackend } from '../src/storage/storage-backend.ts'
import { type Child, startChild } from './storage/support/child.ts'
import { temporaryFolder } from './storage/support/temporary-home.ts'
import { expectRecovery } from './support/backup-checks.ts'
import { backupWork } from './support/backup-work.ts'
import { dyingBackend } from './support/dying-backend.ts'
import { seededRandom } from './support/seeded-random.ts'
import { skillText, unwrap, write } from './support/skill-library.ts'

const HOMES = 2
const ROUNDS_PER_HOME = 25
const MAX_CHANGES = 25
const START = Date.UTC(2026, 0, 1)

/** 90 days apart. */
const startOf = (round: number): number => START + round * 90 * 24 * 60 * 60 * 1000

const script = bundledProgram(new URL('./support/backup-process.ts', import.meta.url))

const prepare = async (storage: StorageBackend, startAt: number): Promise<void> => {
  for (const name of ['skill-0', 'skill-1', 'skill-2']) await write(storage, { [`skills/${name}/SKILL.md`]: skillText(name, 'start 0') })
  unwrap(await createSkillBackup({ storage, clock: () => startAt, reason: 'manual' }))
}

const increment = (counts: Map<string, number>, key: string): void => void counts.set(key, (counts.get(key) ?? 0) + 1)

/** Kills the process in the middle of its last change. Returns the change. */
const killAfter = async (child: Child, changes: number): Promise<string> => {
  let last = ''
  for (let seen = 0; seen < changes; seen++) last = await child.line()
  child.process.kill('SIGKILL')
  expect(await child.ended).toBe('SIGKILL')
  return last
}

describe('kill -9', () => {
  it(`loses no skill and leaves nothing half done in ${HOMES * ROUNDS_PER_HOME} rounds`, { timeout: 300_000 }, async () => {
    const random = seededRandom(20260516)
    const killedAt = new Map<string, number>()
    const phases = new Map<string, number>()
    const start = (home: string, round: number) => {
      const changes = 1 + Math.floor(random() * MAX_CHANGES)
      const task = { home, seed: round, startAt: startOf(round), changes }
      return { child: startChild(process.execPath, [script, JSON.stringify(task)]), changes }
    }
    for (let index = 0; index < HOMES; index++) {
      const home = temporaryFolder()
      const storage = fileSystemBackend(home)
      const first = index * ROUNDS_PER_HOME
      await prepare(storage, startOf(first))
      const names = new Set<string>()
      let next = start(home, first)
      for (let round = first; round < first + ROUNDS_PER_HOME; round++) {
        const { child, changes } = next
        expect(await child.line()).toBe('ready')
        // Starts the next process in advance, because starting takes most of the time of a round.
        if (round + 1 < first + ROUNDS_PER_HOME) next = start(home, round + 1)
        child.say('go')
        const last = await killAfter(child, changes)
        increment(killedAt, last.replace(/^(\w+ (?:skills|curator)\/(?:backups(?:\/\.\w+)?|\.\w+)?).*/, '$1'))
        increment(phases, await expectRecovery(storage, names))
      }
      await storage.close()
    }
    // Enough kills hit the intended phases.
    expect(phases.get('swapping')).toBeGreaterThan(5)
    expect([...killedAt.keys()].filter((place) => place.includes('curator/backups')).length).toBeGreaterThan(2)
  })
})

describe('a process that dies between two changes', () => {
  it('loses no skill and leaves nothing half done in 300 rounds', { timeout: 120_000 }, async () => {
    const random = seededRandom(20260516)
    const phases = new Map<string, number>()
    for (let home = 0; home < 12; home++) {
      const storage = inMemoryBackend()
      await prepare(storage, startOf(0))
      const names = new Set<string>()
      for (let round = 0; round < ROUNDS_PER_HOME; round++) {
        const dying = dyingBackend(storage, 1 + Math.floor(random() * MAX_CHANGES))
        const step = backupWork({ storage: dying, seed: 1000 * home + round, startAt: startOf(round) })
        try {
          while (!dying.isDead()) await step()
        } catch (error) {
          if (!dying.isDead()) throw error
        }
        increment(phases, await expectRecovery(storage, names))
      }
    }
    expect(phases.get('staging')).toBeGreaterThan(10)
    expect(phases.get('swapping')).toBeGreaterThan(10)
  })
})
