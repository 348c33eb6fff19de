/** A process that is killed in the middle of a verb of the curator or an undo, over real files and SQLite: the verb has happened or not, and the next call works at once. */
import { createHash } from 'node:crypto'
import { cpSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { bundledProgram } from '../../../../scripts/support/bundled-program.ts'
import { rounds } from '../../../../scripts/support/rounds.ts'
import { createHermes } from '../../src/create-hermes.ts'
import { readDocument } from '../../src/storage/one-document.ts'
import { startChild } from '../storage/support/child.ts'
import { temporaryFolder } from '../storage/support/temporary-home.ts'
import { fillLibrary, NOON, pathsIn, type SkillWords, unwrap, writeText } from '../support/curator-library.ts'
import { createSkillBackup } from '../support/open-curator.ts'
import { openStored } from '../support/open-stored.ts'
import { seededRandom } from '../support/seeded-random.ts'

const script = bundledProgram(new URL('../support/curator-process.ts', import.meta.url))

const SKILLS: Readonly<Record<string, SkillWords>> = {
  ...Object.fromEntries(Array.from({ length: 12 }, (_, index) => [`old-${index}`, { idleDays: 95, path: `ops/old-${index}` }])),
  ...Object.fromEntries(Array.from({ length: 12 }, (_, index) => [`idle-${index}`, { idleDays: 45 }])),
  'tea-green': { idleDays: 1 },
  'tea-black': { idleDays: 1 },
}

/** A home with a backup, and much that has changed since. */
const prepare = async (verb: string, sqlite: string | undefined): Promise<string> => {
  const home = temporaryFolder()
  const storage = await openStored(home, sqlite)
  await fillLibrary(storage, SKILLS)
  unwrap(await createSkillBackup({ storage, clock: () => Date.UTC(2026, 4, 20), reason: 'manual' }))
  for (let index = 0; index < 12; index++) {
    await writeText(storage, `skills/idle-${index}/references/new.md`, `New ${index}.`)
    await writeText(
      storage,
      `skills/.archive/gone-${index}-20260101000000/SKILL.md`,
      `---\nname: gone-${index}\ndescription: d\n---\n\nb\n`,
    )
  }
  if (verb === 'undo-many') {
    const { curator } = createHermes({ storage, clock: () => NOON - 1_000, onEvent: () => undefined })
    for (let index = 0; index < 12; index++) unwrap(await curator.archive(`idle-${index}`))
  }
  await storage.close()
  if (verb === 'undo') await run('run', home, sqlite)
  return home
}

const withoutSummaries = (journal: Uint8Array): Uint8Array => {
  const lines = new TextDecoder().decode(journal).split('\n')
  return new TextEncoder().encode(lines.filter((line) => !line.includes('"kind":"curator-finished"')).join('\n'))
}

/**
 * A line for each document, without what a run that merges writes in updates behind its merges: its state, its reports and the summary in the journal, and
 * which groups it has asked about, of which a killed run asks again.
 */
const contentOf = async (home: string, sqlite: string | undefined): Promise<string> => {
  const storage = await openStored(home, sqlite)
  const lines: string[] = []
  for (const path of await pathsIn(storage)) {
    const isBehind = ['skills/.curator_state', 'curator/consolidation.json'].includes(path) || path.startsWith('logs/')
    if (isBehind || path.startsWith('sessions/')) continue
    const { bytes: stored, executable = false } = unwrap(await readDocument(storage, path)) ?? { bytes: new Uint8Array() }
    const bytes = path.startsWith('journal/') ? withoutSummaries(stored) : stored
    lines.push(`${path} ${executable} ${createHash('sha256').update(bytes).digest('hex')}`)
  }
  await storage.close()
  return lines.join('\n')
}

const copyOf = (home: string): string => {
  const copy = temporaryFolder()
  cpSync(home, copy, { recursive: true })
  return copy
}

/** Resolves to the milliseconds that the verb took; undefined if it was killed after `killAfterMs`. */
const run = async (verb: string, home: string, sqlite: string | undefined, killAfterMs?: number): Promise<number | undefined> => {
  const child = startChild(process.execPath, [script, verb, home, ...(sqlite === undefined ? [] : [sqlite])])
  expect(await child.line()).toBe('ready')
  const start = performance.now()
  child.say('go')
  if (killAfterMs === undefined) {
    expect(await child.line()).toBe('done')
    const took = performance.now() - start
    await child.ended
    return took
  }
  await wait(killAfterMs)
  child.process.kill('SIGKILL')
  await child.ended
  return undefined
}

const SQLITE = new URL('../../../sqlite/dist/esm/index.js', import.meta.url).href

const VERBS = ['run', 'rollback', 'merge', 'prune', 'backup', 'undo', 'undo-many']
const CASES = VERBS.flatMap((verb) => [
  { verb, over: 'files', sqlite: undefined },
  { verb, over: 'SQLite', sqlite: SQLITE },
])

describe.each(CASES)('a $verb that is killed over $over', ({ verb, over, sqlite }) => {
  it('has happened or not, and the next one works at once', { timeout: 900_000 }, async () => {
    const before = await prepare(verb, sqlite)
    const whole = copyOf(before)
    const took = (await run(verb, whole, sqlite)) ?? 0
    // A merge follows the transitions of its run, each an update of its own.
    const transitions = copyOf(before)
    if (verb === 'merge') await run('run', transitions, sqlite)
    const allowed = new Set(await Promise.all([before, whole, transitions].map((home) => contentOf(home, sqlite))))
    expect(allowed.size).toBeGreaterThan(1)
    const random = seededRandom(verb.length)
    for (let round = 0; round < rounds(30); round++) {
      const home = copyOf(before)
      await run(verb, home, sqlite, random() * took * 1.1)
      expect(allowed, `${verb} over ${over}, round ${round}`).toContain(await contentOf(home, sqlite))
      const storage = await openStored(home, sqlite)
      const { curator } = createHermes({ storage, clock: () => NOON + 1_000, onEvent: () => undefined })
      expect(unwrap(await curator.status()).problems).toEqual([])
      expect(unwrap(await curator.run()).problems).toEqual([])
      unwrap(await curator.rollback('2026-05-20'))
      await storage.close()
    }
  })
})
