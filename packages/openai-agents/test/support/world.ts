/** A home whose every finished turn is reviewed, and a model that answers from a list and writes down what it is asked. */
import { createHermes, type Hermes, type HermesEvent, type HermesOptions, inMemoryBackend } from '@hermes/core'
import type { Model, ModelRequest } from '@openai/agents'
import type { HermesWarning } from '../../src/index.ts'
import type { Sdk } from './releases.ts'
import { isReview, type Output, said, scriptedModel, textsOf } from './scripted-model.ts'

/** The output of one model call, or what the call throws. */
type Answer = Output | Error | ((request: ModelRequest) => Output | Promise<Output>)

export interface World {
  readonly hermes: Hermes
  readonly model: Model
  /** Requests of turns, and of reviews. */
  readonly asked: readonly ModelRequest[]
  readonly reviews: readonly ModelRequest[]
  readonly warnings: readonly HermesWarning[]
  readonly onWarning: (warning: HermesWarning) => void
  readonly events: readonly HermesEvent[]
  /** Answers to the next calls of turns, one for each; then 'Fine.' again. */
  next(...answers: readonly Answer[]): void
  /** What each review proposes. */
  propose(proposals: readonly object[]): void
  /** The number of turns that were counted, after the work behind them: each is in exactly one review. */
  turns(): Promise<number>
  stored(target: 'user' | 'memory'): Promise<readonly string[]>
}

export const openWorld = (sdk: Sdk, options: Omit<HermesOptions, 'storage'> = {}, storage = inMemoryBackend()): World => {
  const asked: ModelRequest[] = []
  const reviews: ModelRequest[] = []
  const events: HermesEvent[] = []
  const warnings: HermesWarning[] = []
  const queue: Answer[] = []
  let proposed: readonly object[] = []
  const hermes = createHermes({
    nudge: { memoryInterval: 1 },
    ...options,
    storage,
    onEvent: (event) => events.push(event),
  })
  const answer = async (request: ModelRequest): Promise<Output> => {
    if (isReview(request)) {
      reviews.push(request)
      return said(JSON.stringify({ proposals: proposed }))
    }
    asked.push(request)
    const next = queue.shift() ?? said('Fine.')
    if (next instanceof Error) throw next
    return typeof next === 'function' ? next(request) : next
  }
  return {
    hermes,
    model: scriptedModel(sdk, { answer: async (_, request) => ({ type: 'items', output: await answer(request) }) }),
    asked,
    reviews,
    warnings,
    onWarning: (warning) => warnings.push(warning),
    events,
    next: (...answers) => void queue.push(...answers),
    propose: (proposals) => {
      proposed = proposals
    },
    async turns() {
      await hermes.settled()
      return events.reduce((sum, event) => sum + (event.type === 'review-started' ? event.turns : 0), 0)
    },
    async stored(target) {
      await hermes.settled()
      const store = hermes.memoryStore()
      await store.load()
      return store.entries(target)
    },
  }
}

/** What all reviews so far were shown, as one text. */
export const reviewed = ({ reviews }: World): string =>
  reviews.flatMap((request) => [request.systemInstructions ?? '', ...textsOf(request)]).join('\n')
