/** Plays a scenario through the real loop with default settings, in memory and with a simulated clock, and reads the resulting memory. */
import { createHermes, type Hermes, type HermesEvent, type HostModel, inMemoryBackend, type Result } from '@hermes/core'
import { estimateTokens } from '@hermes/core/review'
import { playSession } from './play-session.ts'
import { DAY, type Scenario, type ScenarioTurn } from './scenario.ts'

/** Answers a question with the given system prompt. */
export type Assistant = (system: string, question: string) => Promise<string>

export interface PlayOptions {
  /** The model that reviews the conversations. */
  readonly model: HostModel
  readonly assistant: Assistant
  /** Aborting it stops the scenario after the current turn. */
  readonly signal?: AbortSignal
}

/** Estimated tokens. */
interface TokenCounts {
  /** Prompt and answer of every call of the host's model. */
  readonly hostTokens: number
  /** Requests and answers of the reviews. */
  readonly learningTokens: number
  /** The largest request of a review; 0 if there was none. */
  readonly largestRequest: number
  /** Number of calls of the reviewer's model. */
  readonly calls: number
}

export interface Played extends TokenCounts {
  /** The parts of the next session's prompt. */
  readonly prompt: readonly string[]
  readonly archived: readonly string[]
  /** Pending proposals, as JSON. */
  readonly held: readonly string[]
  /** Answers to the scenario's questions, in the same order. */
  readonly answers: readonly string[]
  readonly reviews: number
  /** Error messages of failed reviews. */
  readonly failures: readonly string[]
}

const START = Date.UTC(2026, 0, 5, 9)
const MINUTE_MS = 60_000
const DEFAULT_AFTER_MINUTES = 5

const GREETING: ScenarioTurn = ['Good morning!', 'Good morning!']

const must = <T>(result: Result<T>): T => {
  if (!result.ok) throw result.error
  return result.value
}

interface Meter {
  readonly model: HostModel
  readonly addHostTokens: (tokens: number) => void
  readonly counts: () => TokenCounts
}

const startMeter = (model: HostModel): Meter => {
  let counts: TokenCounts = { hostTokens: 0, learningTokens: 0, largestRequest: 0, calls: 0 }
  const addHostTokens = (tokens: number): void => {
    counts = { ...counts, hostTokens: counts.hostTokens + tokens }
  }
  const addLearning = (tokens: number): void => {
    counts = { ...counts, learningTokens: counts.learningTokens + tokens }
  }
  return {
    addHostTokens,
    counts: () => counts,
    model: async (request) => {
      const asked = [request.system, ...request.messages.map(({ content }) => content)].reduce((sum, text) => sum + estimateTokens(text), 0)
      counts = { ...counts, calls: counts.calls + 1, largestRequest: Math.max(counts.largestRequest, asked) }
      addLearning(asked)
      const answer = await model(request)
      const told: unknown = answer
      const text: unknown = typeof told === 'object' && told !== null ? Reflect.get(told, 'text') : told
      if (typeof text === 'string') addLearning(estimateTokens(text))
      return answer
    },
  }
}

/** Splits the block into its entries and headings. */
const partsOf = (block: string): readonly string[] =>
  block
    .split(/\n§\n|\n*═{5,}\n*|\n\n+/)
    .map((part) => part.trim())
    .filter((part) => part !== '')

const readHome = async (hermes: Hermes): Promise<Pick<Played, 'archived' | 'held'>> => {
  const store = hermes.memoryStore()
  await store.load()
  const archived = must(await store.archived()).map(({ text }) => text)
  const held = must(await hermes.pending.list()).map((pending) => JSON.stringify(pending))
  return { archived, held }
}

/**
 * Rejects with the signal's reason on abort, and with the error if the storage fails. The memory is read by a new instance, a day later.
 */
export const playScenario = async ({ sessions, questions }: Scenario, { model, assistant, signal }: PlayOptions): Promise<Played> => {
  let now = START
  const events: HermesEvent[] = []
  const meter = startMeter(model)
  const storage = inMemoryBackend()
  const start = (): Hermes => createHermes({ storage, clock: () => now, onEvent: (event) => events.push(event) })
  const passMinutes = (minutes: number): void => {
    now += minutes * MINUTE_MS
  }
  // Quitting ends a conversation. Otherwise the user comes back later, and the idle check runs.
  const isLeft = sessions.at(-1)?.ends === 'quit'
  const all = isLeft ? sessions : [...sessions, { turns: [GREETING], afterMinutes: DAY }]
  let hermes = start()
  try {
    for (const [index, session] of all.entries()) {
      const minutes = session.afterMinutes ?? DEFAULT_AFTER_MINUTES
      passMinutes(minutes)
      if (minutes >= DAY) hermes = start()
      await playSession({ hermes, model: meter.model, addTokens: meter.addHostTokens, passMinutes, signal }, `chat-${index + 1}`, session)
    }
    passMinutes(DEFAULT_AFTER_MINUTES)
    hermes = start()
    const block = await hermes.session('next').systemBlock()
    const answers: string[] = []
    for (const { ask } of questions) {
      signal?.throwIfAborted()
      answers.push(await assistant(block, ask))
    }
    return {
      prompt: partsOf(block),
      ...(await readHome(hermes)),
      answers,
      reviews: events.filter(({ type }) => type === 'review-started').length,
      failures: events.flatMap((event) => (event.type === 'review-failed' ? [event.error.message] : [])),
      ...meter.counts(),
    }
  } finally {
    await hermes.close()
  }
}
