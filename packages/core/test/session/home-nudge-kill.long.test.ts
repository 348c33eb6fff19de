/** Processes run many sessions of one home and are killed at any moment or suspended for too long: exactly one finished review reads each acknowledged turn. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { bundledProgram } from '../../../../scripts/support/bundled-program.ts'
import { fileSystemBackend } from '../../src/storage/files/file-backend.ts'
import { type Child, startChild } from '../storage/support/child.ts'
import { temporaryFolder } from '../storage/support/temporary-home.ts'
import type { NudgeTask } from '../support/nudge-process.ts'
import { type ReviewNote, timesRead } from '../support/observed-reviews.ts'
import { seededRandom } from '../support/seeded-random.ts'
import { homeProcess, NO_PROPOSALS } from './home-process.ts'

const script = bundledProgram(new URL('../support/nudge-process.ts', import.meta.url))
const START = Date.UTC(2026, 0, 5, 12)
const DAY_MS = 86_400_000
/** The lease of a killed process expires after five seconds; a living one renews it in time on a busy machine too. */
const SPEED = 12
const ANSWER_MS = 80
const LONGEST_LIFE_MS = 6_000
/** Longer than any process waits for its turn to review, on a busy machine too. */
const LONGEST_WAIT_MS = 15_000
const SAFE_TURNS = 40
const FINISHED_REVIEWS = 2

type LogLine = ReviewNote | { readonly kind: 'says' | 'problem'; readonly text: string } | { readonly kind: 'safe'; readonly upTo: number }

/** The last line may be incomplete. */
const readLog = (path: string): readonly LogLine[] => {
  const lines = existsSync(path) ? readFileSync(path, 'utf8').split('\n').slice(0, -1) : []
  return lines.map((line): LogLine => JSON.parse(line))
}

const isReviewNote = (line: LogLine): line is ReviewNote => ['begins', 'gives-back', 'has-read', 'asks'].includes(line.kind)

/** Turns before the last moment at which all turns were saved. */
const safeTexts = (name: string, lines: readonly LogLine[]): readonly string[] => {
  const upTo = Math.max(0, ...lines.flatMap((line) => (line.kind === 'safe' ? [line.upTo] : [])))
  return Array.from({ length: upTo }, (_, turn) => `${name}-${turn + 1};`)
}

const start = (task: NudgeTask): Child => startChild(process.execPath, [script, JSON.stringify(task)])

const killSoon = async (child: Child, random: () => number): Promise<void> => {
  // Kills half of the processes at any moment, half while their model answers.
  if (random() < 0.5) await wait(500 + random() * LONGEST_LIFE_MS)
  else {
    const asks = 2 + Math.floor(random() * 5)
    const asked = (async () => {
      for (let times = 0; times < asks; ) if ((await child.line()) === 'asks') times++
      await wait(random() * ANSWER_MS)
    })()
    await Promise.race([asked, wait(LONGEST_WAIT_MS)])
    asked.catch(() => {})
  }
  child.process.kill('SIGKILL')
  await child.ended
}

const fencesOf = (kind: ReviewNote['kind'], lines: readonly LogLine[]) =>
  lines.filter(isReviewNote).flatMap((line) => (line.kind === kind ? [line.fence] : []))

/** Reviews that have begun and did not finish. */
const interruptedIn = (logs: readonly { readonly lines: readonly LogLine[] }[]): readonly (number | undefined)[] => {
  const finished = logs.flatMap(({ lines }) => fencesOf('has-read', lines))
  return logs.flatMap(({ lines }) => fencesOf('begins', lines)).filter((fence) => !finished.includes(fence))
}

/** A process that dies while its model answers, which takes longer than the test. */
const dieInReview = async (task: NudgeTask): Promise<void> => {
  const child = start({ ...task, turns: 1_000_000, answersWithin: 10_000_000 })
  expect(await child.line()).toBe('ready')
  child.say('go')
  while ((await child.line()) !== 'asks');
  child.process.kill('SIGKILL')
  await child.ended
}

/** Until then nobody is killed: on a busy machine the processes need longer to get so far. */
const haveWorked = (logs: readonly { readonly name: string; readonly lines: readonly LogLine[] }[]): boolean =>
  logs.flatMap(({ name, lines }) => safeTexts(name, lines)).length > SAFE_TURNS &&
  logs.flatMap(({ lines }) => fencesOf('has-read', lines)).length >= FINISHED_REVIEWS

it('reads each safe turn once over eight processes that are killed', { timeout: 180_000 }, async () => {
  const random = seededRandom(8)
  const home = temporaryFolder()
  const logs = temporaryFolder()
  const realStart = Date.now()
  const taskOf = (index: number): NudgeTask => {
    const name = `p${index}`
    return {
      home,
      log: join(logs, name),
      name,
      seed: index,
      sessions: [`${name}-a`, `${name}-b`, `${name}-c`, 'shared'],
      turns: 500,
      memoryInterval: 4,
      startAt: START,
      realStart,
      speed: SPEED,
      answersWithin: ANSWER_MS,
      answer: NO_PROPOSALS,
    }
  }
  const tasks = Array.from({ length: 8 }, (_, index) => taskOf(index))
  const children = tasks.map(start)
  for (const child of children) expect(await child.line()).toBe('ready')
  for (const child of children) child.say('go')
  const readLogs = () => tasks.map(({ name, log }) => ({ name, lines: readLog(log) }))
  while (!haveWorked(readLogs())) await wait(50)
  await Promise.all(children.map((child) => killSoon(child, random)))
  // All kills may have come between two reviews.
  if (interruptedIn(readLogs()).length === 0) {
    const ninth = taskOf(8)
    tasks.push(ninth)
    await dieInReview(ninth)
  }

  const notes: ReviewNote[] = []
  const storage = fileSystemBackend(home)
  const last = homeProcess(storage, { notes, clock: () => START + DAY_MS, nudge: { memoryInterval: 4, skillInterval: 0 } })
  for (let times = 0; times < 10; times++) {
    const reviewed = await last.hermes.review({ minTurns: 1 })
    if (reviewed.ok && reviewed.value.kind === 'nothing-due') break
    expect(reviewed).toMatchObject({ ok: true })
  }
  expect(await last.hermes.review({ minTurns: 1 })).toEqual({ ok: true, value: { kind: 'nothing-due', unreadTurns: 0 } })

  const all = readLogs()
  const told = [...all.flatMap(({ lines }) => lines.filter(isReviewNote)), ...notes]
  const safe = all.flatMap(({ name, lines }) => safeTexts(name, lines))
  const wrong = timesRead(told, safe).flatMap((times, index) => (times === 1 ? [] : [`${safe[index]} ${times} times`]))
  expect(wrong).toEqual([])
  const said = all.flatMap(({ lines }) => lines.flatMap((line) => (line.kind === 'says' ? [line.text] : [])))
  expect(timesRead(told, said).filter((times) => times > 1)).toEqual([])
  expect(all.flatMap(({ lines }) => lines.filter(({ kind }) => kind === 'problem'))).toEqual([])

  // Enough reviews were really interrupted.
  const finished = all.flatMap(({ lines }) => fencesOf('has-read', lines))
  expect(safe.length).toBeGreaterThan(SAFE_TURNS)
  expect(finished.length).toBeGreaterThanOrEqual(FINISHED_REVIEWS)
  expect(interruptedIn(all).length).toBeGreaterThan(0)
  await last.hermes.close()
})

it('writes nothing of a process that was stopped until another one had taken over', { timeout: 60_000 }, async () => {
  const home = temporaryFolder()
  const log = join(temporaryFolder(), 'late')
  const proposals = [
    { target: 'user', op: { action: 'add', content: 'Likes late-1 of all turns' }, rationale: 'said', score: 0.9, evidence: [] },
  ]
  const child = start({
    home,
    log,
    name: 'late',
    seed: 1,
    sessions: ['a', 'b'],
    turns: 10,
    memoryInterval: 10,
    startAt: START,
    realStart: Date.now(),
    speed: 1,
    // Long enough to be stopped before, on a busy machine too.
    answersWithin: 6_000,
    answer: JSON.stringify({ proposals }),
  })
  expect(await child.line()).toBe('ready')
  child.say('go')
  expect(await child.line()).toBe('asks')
  child.process.kill('SIGSTOP')

  const storage = fileSystemBackend(home)
  const notes: ReviewNote[] = []
  const other = homeProcess(storage, { notes, clock: () => START + DAY_MS })
  expect(await other.hermes.review()).toMatchObject({ ok: true, value: { kind: 'reviewed', turns: 10 } })
  const files = async () => {
    const listed = await storage.list('')
    return listed.ok ? listed.value.map(({ path, stamp }) => `${path} ${stamp}`).filter((path) => !path.startsWith('journal/')) : []
  }
  const before = await files()

  child.process.kill('SIGCONT')
  expect(await child.line()).toBe('failed superseded')
  expect(await child.line()).toBe('done')
  expect(await files()).toEqual(before)
  const told = [...readLog(log).filter(isReviewNote), ...notes]
  expect(timesRead(told, safeTexts('late', readLog(log)))).toEqual(Array.from({ length: 10 }, () => 1))
  child.say('end')
  expect(await child.ended).toBe(0)
  await other.hermes.close()
})
