/** Plays a scenario through the real loop with default settings, in memory and with a simulated clock, and reads the resulting memory. */
import {
  createHermes,
  type Hermes,
  type HermesEvent,
  type HostModel,
  inMemoryBackend,
  type Result,
  type Session,
  type TurnMessage,
} from '@hermes/core'
import { estimateTokens } from '@hermes/core/review'
import { DAY, type Scenario, type ScenarioSession, type ScenarioTurn } from './scenario.ts'

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

/** Splits the block into its entries and headings. */
const partsOf = (block: string): readonly string[] =>
  block
    .split(/\n§\n|\n*═{5,}\n*|\n\n+/)
    .map((part) => part.trim())
    .filter((part) => part !== '')

const tokensOf = (texts: readonly string[]): number => texts.reduce((sum, text) => sum + estimateTokens(text), 0)

let calls = 0

/** A home in memory with its own clock, on which sessions are played like by an adapter that sees every model call. */
class Play {
  readonly events: HermesEvent[] = []
  readonly counts = { hostTokens: 0, learningTokens: 0, largestRequest: 0, calls: 0 }
  readonly #storage = inMemoryBackend()
  #now = START
  hermes = this.restart()

  restart(): Hermes {
    this.hermes = createHermes({ storage: this.#storage, clock: () => this.#now, onEvent: (event) => this.events.push(event) })
    return this.hermes
  }

  passMinutes(minutes: number): void {
    this.#now += minutes * MINUTE_MS
  }

  /** The same model, whose tokens are counted. */
  measured(model: HostModel): HostModel {
    return async (request) => {
      const asked = tokensOf([request.system, ...request.messages.map(({ content }) => content)])
      this.counts.calls += 1
      this.counts.largestRequest = Math.max(this.counts.largestRequest, asked)
      this.counts.learningTokens += asked
      const answer: unknown = await model(request)
      const text: unknown = typeof answer === 'object' && answer !== null ? Reflect.get(answer, 'text') : answer
      if (typeof text === 'string') this.counts.learningTokens += estimateTokens(text)
      return answer as Awaited<ReturnType<HostModel>>
    }
  }

  /** Waits for background work to finish. Rejects with the signal's reason on abort. */
  async session(id: string, { turns, ends, window }: ScenarioSession, model: HostModel, signal: AbortSignal | undefined): Promise<void> {
    const session = this.hermes.session(id)
    // Hosts offer the tools before the first prompt.
    void session.offerTools()
    let history: readonly TurnMessage[] = []
    for (const turn of turns) {
      signal?.throwIfAborted()
      history = await this.#turn(session, window === undefined ? history : history.slice(-window), turn, model)
    }
    if (ends !== undefined) await session.end(ends === 'quit' ? { minTurns: 1 } : {})
    await this.hermes.settled()
  }

  /** Plays one user turn; returns the conversation after it. */
  async #turn(session: Session, history: readonly TurnMessage[], turn: ScenarioTurn, model: HostModel): Promise<readonly TurnMessage[]> {
    const { user, steps, answer } = 'user' in turn ? turn : { user: turn[0], steps: [], answer: turn[1] }
    const systemTokens = estimateTokens(await session.systemBlock())
    let prompt: readonly TurnMessage[] = [...history, { role: 'user', text: user }]
    const endStep = (reply: TurnMessage, turnFinished: boolean): void => {
      prompt = [...prompt, reply]
      this.counts.hostTokens += systemTokens + tokensOf(prompt.map(({ text }) => text))
      session.endStep({ prompt: prompt.slice(0, -1), turnFinished, calledTools: !turnFinished, reply: [reply], model })
    }
    for (const step of steps) {
      const id = `call-${++calls}`
      const [name, input] =
        'remember' in step ? ['memory', { action: 'add', target: step.remember[0], content: step.remember[1] }] : [step[0], {}]
      session.beginStep(prompt)
      session.noteToolCall({ id, name, input, prompt })
      endStep({ role: 'assistant', text: '', toolNames: [name] }, false)
      const tool = session.offerTools().find((offered) => offered.name === name)
      const text = 'remember' in step ? JSON.stringify(await tool?.execute(input, { messages: prompt, toolCallId: id })) : step[1]
      prompt = [...prompt, { role: 'tool', text, toolNames: [name] }]
    }
    session.beginStep(prompt)
    endStep({ role: 'assistant', text: answer }, true)
    this.passMinutes(1)
    await session.settled()
    return prompt
  }
}

/**
 * Rejects with the signal's reason on abort, and with the error if the storage fails. The memory is read by a new instance, a day later.
 */
export const playScenario = async ({ sessions, questions }: Scenario, { model, assistant, signal }: PlayOptions): Promise<Played> => {
  const play = new Play()
  const reviewer = play.measured(model)
  // Quitting ends a conversation. Otherwise the user comes back later, and the idle check runs.
  const isLeft = sessions.at(-1)?.ends === 'quit'
  const all = isLeft ? sessions : [...sessions, { turns: [GREETING], afterMinutes: DAY }]
  try {
    for (const [index, session] of all.entries()) {
      const minutes = session.afterMinutes ?? DEFAULT_AFTER_MINUTES
      play.passMinutes(minutes)
      if (minutes >= DAY) play.restart()
      await play.session(`chat-${index + 1}`, session, reviewer, signal)
    }
    play.passMinutes(DEFAULT_AFTER_MINUTES)
    const hermes = play.restart()
    const block = await hermes.session('next').systemBlock()
    const answers: string[] = []
    for (const { ask } of questions) {
      signal?.throwIfAborted()
      answers.push(await assistant(block, ask))
    }
    const store = hermes.memoryStore()
    await store.load()
    return {
      prompt: partsOf(block),
      archived: must(await store.archived()).map(({ text }) => text),
      held: must(await hermes.pending.list()).map((pending) => JSON.stringify(pending)),
      answers,
      reviews: play.events.filter(({ type }) => type === 'review-started').length,
      failures: play.events.flatMap((event) => (event.type === 'review-failed' ? [event.error.message] : [])),
      ...play.counts,
    }
  } finally {
    await play.hermes.close()
  }
}
