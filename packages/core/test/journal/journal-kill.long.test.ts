/** Processes that write and tidy one journal are killed at any moment: no acknowledged record is lost or duplicated. */
import { describe, expect, it } from 'vitest'
import { bundledProgram } from '../../../../scripts/support/bundled-program.ts'
import { createJournal } from '../../src/journal/journal.ts'
import { tidyJournal } from '../../src/journal/tidy-journal.ts'
import type { HermesError } from '../../src/shared/hermes-error.ts'
import { fileSystemBackend } from '../../src/storage/files/index.ts'
import { type Child, startChild } from '../storage/support/child.ts'
import { temporaryFolder } from '../storage/support/temporary-home.ts'
import { seededRandom } from '../support/seeded-random.ts'
import { unwrap } from '../support/skill-library.ts'

const ROUNDS = 12
const MAX_LINES = 60
const DAY_MS = 24 * 60 * 60 * 1000
const START = Date.UTC(2026, 0, 1)

const script = bundledProgram(new URL('../support/journal-process.ts', import.meta.url))

/** Kills the process after the given number of announced changes, so that it dies in the middle of one. Returns its output. */
const killAfter = async (child: Child, lines: number): Promise<readonly string[]> => {
  const seen: string[] = []
  while (seen.length < lines) seen.push(await child.line())
  child.process.kill('SIGKILL')
  expect(await child.ended).toBe('SIGKILL')
  return seen
}

const safeIn = (lines: readonly string[]): readonly string[] =>
  lines.filter((line) => line.startsWith('safe ')).map((line) => line.slice(5))

describe('kill -9', () => {
  it(`loses and doubles no record in ${ROUNDS} rounds of two processes`, { timeout: 120_000 }, async () => {
    const random = seededRandom(14)
    const home = temporaryFolder()
    const start = (writer: string, round: number) =>
      startChild(process.execPath, [script, JSON.stringify({ home, writer, startAt: START + round * 10 * DAY_MS })])
    const storage = fileSystemBackend(home)
    const problems: HermesError[] = []
    const journal = createJournal({ storage, clock: () => START, createId: () => 'none', onProblem: (problem) => problems.push(problem) })
    const safe = new Set<string>()
    const killedIn = new Set<string>()
    const pairFor = (round: number) => [start(`a${round}`, round), start(`b${round}`, round)] as const
    let next = pairFor(0)
    for (let round = 0; round < ROUNDS; round++) {
      const pair = next
      for (const child of pair) expect(await child.line()).toBe('ready')
      // Starts the next processes in advance.
      if (round + 1 < ROUNDS) next = pairFor(round + 1)
      for (const child of pair) child.say('go')
      const said = await Promise.all(pair.map((child) => killAfter(child, 1 + Math.floor(random() * MAX_LINES))))
      for (const lines of said) {
        for (const id of safeIn(lines)) safe.add(id)
        killedIn.add(lines.at(-1)?.replace(/[\d-]{10,}.*/, '') ?? '')
      }
      const ids = unwrap(await journal.list()).map(({ id }) => id)
      expect(ids).toHaveLength(new Set(ids).size)
      expect([...safe].filter((id) => !ids.includes(id))).toEqual([])
    }
    expect(problems).toEqual([])
    // Kills have hit every kind of write: an append, and a day document.
    expect([...killedIn]).toEqual(expect.arrayContaining(['update journal/', 'update journal/days/']))

    const before = unwrap(await journal.list()).map(({ id }) => id)
    unwrap(await tidyJournal({ storage, clock: () => START + 400 * DAY_MS, retainDays: 'forever' }))
    expect(unwrap(await journal.list()).map(({ id }) => id)).toEqual(before)
    const left = unwrap(await storage.list('journal')).map(({ path }) => path)
    expect(left.filter((path) => !/^journal\/(?:days|index)\//.test(path))).toEqual(['journal/.state.json'])
  })
})
