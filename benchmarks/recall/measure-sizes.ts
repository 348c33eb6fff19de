/** Fills an index step by step and measures what it occupies and how long its answers take. */
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { countMessages, type Question } from './corpus.ts'
import { generateSessions, toPastSessions } from './generate-sessions.ts'
import { addAll } from './measure-recall.ts'
import { type Cell, percentile, table, times } from './recall-report.ts'
import type { RecallSubject } from './recall-subject.ts'
import { seededRandom } from './seeded-random.ts'

const TURNS_PER_SESSION = 5
/** Sessions, with 1,000, 10,000 and 100,000 messages. */
export const SIZES: readonly number[] = [100, 1_000, 10_000]
const QUESTIONS_ASKED = 200

export interface SizeOutcome {
  readonly subject: string
  readonly messages: number
  readonly sessions: number
  readonly bytes: number
  readonly indexMs: number
  readonly searchMs: readonly number[]
  readonly prefetchMs: readonly number[]
  /** The longest time during the questions in which nothing else could run. */
  readonly blockedMs: number
}

/** Milliseconds. Pauses before, so that the timer that measures blocking runs between two calls. */
const timedAlone = async (work: () => Promise<unknown>): Promise<number> => {
  await new Promise((resolve) => setTimeout(resolve, 2))
  const began = performance.now()
  await work()
  return performance.now() - began
}

/** An index of its own with so many sessions. */
export const measureSize = async (
  subject: RecallSubject,
  count: number,
  questions: readonly Question[],
  seed: number,
): Promise<SizeOutcome> => {
  const sizes = { sessions: count, minTurns: TURNS_PER_SESSION, maxTurns: TURNS_PER_SESSION }
  const sessions = toPastSessions(generateSessions(sizes, seededRandom(seed)))
  const index = await subject.open()
  try {
    const indexMs = await addAll(index, sessions)
    const bytes = await index.size()
    const [searchMs, prefetchMs]: [number[], number[]] = [[], []]
    const delay = monitorEventLoopDelay({ resolution: 1 })
    delay.enable()
    for (const question of questions.slice(0, QUESTIONS_ASKED)) {
      searchMs.push(await timedAlone(() => index.search(question, 10)))
      prefetchMs.push(await timedAlone(() => index.prefetch(question)))
    }
    delay.disable()
    const messages = countMessages(sessions)
    return { subject: subject.name, messages, sessions: count, bytes, indexMs, searchMs, prefetchMs, blockedMs: delay.max / 1e6 }
  } finally {
    await index.close()
  }
}

const HEAD: readonly Cell[] = [
  'index',
  'messages',
  'sessions',
  'bytes per message',
  'time to index, s',
  '`search`, ms: p50 / p95 / max',
  '`prefetch`, ms: p50 / p95 / max',
  'longest block, ms',
]

export const describeSizes = (outcomes: readonly SizeOutcome[]): string =>
  table(
    HEAD,
    outcomes.map(({ subject, messages, sessions, bytes, indexMs, searchMs, prefetchMs, blockedMs }) => [
      subject,
      messages,
      sessions,
      (bytes / messages).toFixed(0),
      (indexMs / 1000).toFixed(1),
      times(searchMs),
      times(prefetchMs),
      blockedMs.toFixed(1),
    ]),
  )

/** Bytes per message of the largest index compared with the one before it. */
export const growth = (outcomes: readonly SizeOutcome[]): number => {
  const [before, last] = outcomes.slice(-2)
  if (before === undefined || last === undefined) return 1
  return last.bytes / last.messages / (before.bytes / before.messages)
}

export const slowestPrefetch = (outcomes: readonly SizeOutcome[]): number =>
  Math.max(...outcomes.map(({ prefetchMs }) => percentile(prefetchMs, 0.95)))
