/**
 * Duration of a curator run, its snapshot and its rollback on disk, compared with the bare system calls for the same moves and with the reference. The figures of
 * the reference are from two virtual Xeon cores: compare their growth, not their values.
 */
import { closeSync, fsyncSync, mkdirSync, mkdtempSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { createHermes } from '../packages/core/src/index.ts'
import type { Result } from '../packages/core/src/shared/result.ts'
import { fileSystemBackend } from '../packages/core/src/storage/files/index.ts'
import { toPythonJson } from '../packages/core/src/usage/python-json.ts'
import { formatPythonTime } from '../packages/core/src/usage/python-time.ts'

const NOW = Date.UTC(2026, 5, 1, 12)
const DAY = 86_400_000
const CATEGORIES = 20
const BODY = 'A line of instructions, as long as they are.\n'.repeat(65)

interface Case {
  readonly skills: number
  /** Half of them become stale, half are archived. */
  readonly transitions: number
  readonly rounds: number
  /** Measured seconds of the reference: apply, snapshot, rollback. */
  readonly reference: readonly [string, string, string]
}

const CASES: readonly Case[] = [
  { skills: 1_000, transitions: 0, rounds: 3, reference: ['0.17', '0.30', '0.9'] },
  { skills: 1_000, transitions: 100, rounds: 3, reference: ['7.6', '0.38', '1.3'] },
  { skills: 1_000, transitions: 1_000, rounds: 1, reference: ['–', '–', '–'] },
  { skills: 10_000, transitions: 0, rounds: 1, reference: ['1.6', '4.5', '32'] },
  { skills: 10_000, transitions: 100, rounds: 1, reference: ['55.6', '5.0', '16'] },
  { skills: 10_000, transitions: 1_000, rounds: 1, reference: ['548', '3.8', '13'] },
]

const STEPS = ['run', 'snapshot', 'rollback', 'floor'] as const

type Times = Readonly<Record<(typeof STEPS)[number], number>>

const folderOf = (index: number): string => `category-${index % CATEGORIES}/skill-${index}`

const idleDays = (index: number, transitions: number): number => {
  if (index >= transitions) return 1
  return index % 2 === 0 ? 95 : 45
}

/** Returns the text of the sidecar, which the floor writes too. */
const writeLibrary = (home: string, { skills, transitions }: Case): string => {
  const records = new Map<string, unknown>()
  for (let index = 0; index < skills; index++) {
    const folder = join(home, 'skills', folderOf(index))
    mkdirSync(folder, { recursive: true })
    const frontMatter = `---\nname: skill-${index}\ndescription: Does the useful thing with number ${index}, and nothing else.\n---\n`
    writeFileSync(join(folder, 'SKILL.md'), `${frontMatter}\n# Skill ${index}\n\n${BODY}`)
    const lastUsedAt = formatPythonTime(NOW - idleDays(index, transitions) * DAY)
    records.set(`skill-${index}`, { created_by: 'agent', state: 'active', use_count: 1, last_used_at: lastUsedAt })
  }
  const sidecar = toPythonJson(records)
  writeFileSync(join(home, 'skills/.usage.json'), sidecar)
  return sidecar
}

const timed = async <T>(work: () => Promise<Result<T>>): Promise<readonly [number, T]> => {
  const start = performance.now()
  const done = await work()
  if (!done.ok) throw done.error
  return [(performance.now() - start) / 1_000, done.value]
}

const settle = (path: string): void => {
  const file = openSync(path, 'r')
  fsyncSync(file)
  closeSync(file)
}

/** The floor: one rename for each archived skill, one write of the sidecar, and one fsync of each folder and file; no listing, reading or locking. */
const bareFloor = (home: string, { transitions }: Case, sidecar: string): number => {
  const moved = Array.from({ length: transitions }, (_, index) => index).filter((index) => index % 2 === 0)
  const from = (index: number): string => join(home, 'skills', folderOf(index))
  const to = (index: number): string => join(home, 'floor', `skill-${index}`)
  const categories = Array.from({ length: CATEGORIES }, (_, index) => join('skills', `category-${index}`))
  mkdirSync(join(home, 'floor'))
  const start = performance.now()
  for (const index of moved) renameSync(from(index), to(index))
  writeFileSync(join(home, 'floor.json'), sidecar)
  settle(join(home, 'floor.json'))
  if (moved.length > 0) for (const folder of ['floor', ...categories]) settle(join(home, folder))
  const seconds = (performance.now() - start) / 1_000
  for (const index of moved) renameSync(to(index), from(index))
  rmSync(join(home, 'floor'), { recursive: true })
  return seconds
}

/** Measures the floor, the snapshot, the run, and the rollback that restores everything. */
const measure = async (each: Case): Promise<Times> => {
  const home = mkdtempSync(join(tmpdir(), 'hermes-bench-curator-'))
  try {
    const sidecar = writeLibrary(home, each)
    const floor = bareFloor(home, each, sidecar)
    const storage = fileSystemBackend(home)
    let now = NOW
    const clock = (): number => now
    const { curator } = createHermes({ storage, clock })
    const [snapshot] = await timed(() => curator.backup('benchmark'))
    now += 1_000
    const [run, { report }] = await timed(() => curator.run())
    if (report.transitioned.length !== each.transitions)
      throw new Error(`${report.transitioned.length} moved instead of ${each.transitions}.`)
    now += 1_000
    const [undo] = await timed(() => curator.rollback())
    await storage.close()
    return { run, snapshot, rollback: undo, floor }
  } finally {
    rmSync(home, { recursive: true, force: true })
  }
}

const median = (times: readonly number[]): number => [...times].sort((a, b) => a - b)[Math.floor(times.length / 2)] ?? Number.NaN

const cell = (text: string): string => text.padStart(10)

/** Prints a table. */
export const run = async (): Promise<void> => {
  console.log(
    'Seconds, skills of 3 KB in 20 categories; half of the transitions to stale, half to the archive. A run is cold: every skill is read.',
  )
  console.log(
    'Floor: the renames and one write of the sidecar alone, with one fsync a folder. The rollback undoes the run, after a snapshot of its own.',
  )
  console.log(['skills', 'moves', ...STEPS, 'ref. run', 'ref. snap', 'ref. back'].map(cell).join(''))
  for (const each of CASES) {
    const rounds: Times[] = []
    for (let round = 0; round < each.rounds; round++) rounds.push(await measure(each))
    const own = STEPS.map((step) => median(rounds.map((times) => times[step])).toFixed(step === 'floor' ? 3 : 2))
    console.log([String(each.skills), String(each.transitions), ...own, ...each.reference].map(cell).join(''))
  }
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) await run()
