/** Fills an index step by step and measures what it occupies and how long its answers take. */
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { type Cell, table } from '../report.ts'
import { countMessages, type Question } from './corpus.ts'
import { generateSessions, toPastSessions } from './generate-sessions.ts'
import { addAll } from './measure-recall.ts'
import { percentile, times } from './recall-report.ts'
import type { RecallSubject } from './recall-subject.ts'
import { seededRandom } from './seeded-random.ts'

const TURNS_PER_SESSION = 5
/** Sessions, with 1,000, 10,000 and 100,000 messages. */
export const SIZES: readonly number[] = [100, 1_000, 10_000]
const QUESTIONS_ASKED = 200

/** `cpuMs`: time of the processor, which a busy machine hardly changes; without what a database server takes. */
interface CallTimes {
  readonly ms: number
  readonly cpuMs: number
}

export interface SizeOutcome {
  readonly subject: string
  readonly messages: number
  readonly sessions: number
  readonly bytes: number
  readonly indexMs: number
  readonly search: readonly CallTimes[]
  readonly prefetch: readonly CallTimes[]
  /** The longest time during the questions in which nothing else could run. */
  readonly blockedMs: number
}

/** Pauses before, so that the timer that measures blocking runs between two calls. */
const timedAlone = async (work: () => Promise<unknown>): Promise<CallTimes> => {
  await new Promise((resolve) => setTimeout(resolve, 2))
  const cpu = process.cpuUsage()
  const began = performance.now()
  await work()
  const ms = performance.now() - began
  const { user, system } = process.cpuUsage(cpu)
  return { ms, cpuMs: (user + system) / 1_000 }
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
    await index.ready()
    const bytes = await index.size()
    const [search, prefetch]: [CallTimes[], CallTimes[]] = [[], []]
    const delay = monitorEventLoopDelay({ resolution: 1 })
    delay.enable()
    for (const question of questions.slice(0, QUESTIONS_ASKED)) {
      search.push(await timedAlone(() => index.search(question, 10)))
      prefetch.push(await timedAlone(() => index.prefetch(question)))
    }
    delay.disable()
    const messages = countMessages(sessions)
    return { subject: subject.name, messages, sessions: count, bytes, indexMs, search, prefetch, blockedMs: delay.max / 1e6 }
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
  'of the processor',
  '`prefetch`, ms: p50 / p95 / max',
  'of the processor',
  'longest block, ms',
]

export const describeSizes = (outcomes: readonly SizeOutcome[]): string =>
  table(
    HEAD,
    outcomes.map(({ subject, messages, sessions, bytes, indexMs, search, prefetch, blockedMs }) => [
      subject,
      messages,
      sessions,
      (bytes / messages).toFixed(0),
      (indexMs / 1000).toFixed(1),
      times(search.map(({ ms }) => ms)),
      times(search.map(({ cpuMs }) => cpuMs)),
      times(prefetch.map(({ ms }) => ms)),
      times(prefetch.map(({ cpuMs }) => cpuMs)),
      blockedMs.toFixed(1),
    ]),
  )

/** What the pages show: the largest size of each index. */
export const summariseSizes = (outcomes: readonly SizeOutcome[]): string => {
  const most = Math.max(...outcomes.map(({ messages }) => messages))
  const largest = outcomes.filter(({ messages }) => messages === most)
  const each = largest.map(({ subject, bytes, prefetch }) => {
    const cpu = prefetch.map(({ cpuMs }) => cpuMs)
    return `${percentile(cpu, 0.5).toFixed(0)} ms (p50) and ${percentile(cpu, 0.95).toFixed(0)} ms (p95) of the processor, and a message occupies ${(bytes / most / 1_000).toFixed(2)} kB (${subject})`
  })
  return `Over ${most.toLocaleString('en')} messages a \`prefetch\` takes ${each.join('; ')}.`
}
