/** What a batch of what is learned on request would ask of the model, as memory is now. */
import { HermesError } from '../shared/hermes-error.ts'
import { err, ok, type Result } from '../shared/result.ts'
import { type LearnTurn, toDue } from './learn-batch.ts'
import { ReviewPasses } from './review-passes.ts'
import type { SessionHome } from './session-home.ts'
import { describeStores } from './shown-memory.ts'

export interface LearnEstimate {
  readonly inputTokens: number
  readonly outputTokens: number
  /** Requests to the model. */
  readonly requests: number
}

/** What a review of ordinary conversations adds to memory and answers, in tokens a turn. */
const LEARNED_TOKENS = 4
const ANSWER_TOKENS = 15
const LEAST_ANSWER_TOKENS = 20
const CHARS_PER_TOKEN = 4

const NO_MODEL = async () => ''

/** What a review of the batch would cost. `turnsBefore`: turns of earlier batches, from which memory will have grown. Reads only. */
export const estimateBatch = async (
  home: SessionHome,
  turns: readonly LearnTurn[],
  turnsBefore: number,
): Promise<Result<LearnEstimate>> => {
  const due = { ...toDue(turns, home.options.intervals), fence: 0 }
  let failure: HermesError | undefined
  const onFailure = (error: HermesError) => {
    failure ??= error
  }
  const stores = home.reviewStores(home.storage, () => {})
  const passes = new ReviewPasses(
    {
      ...stores,
      ...{ due, onFailure, gate: home.gate, clock: home.clock, settings: home.options.review },
      sessionId: '',
      reviewId: '',
      stopping: home.stopping,
      onCost: () => {},
      write: async () => err(new HermesError('invalid', 'An estimate writes nothing.')),
    },
    NO_MODEL,
  )
  const { inputTokens, requests } = await passes.estimate()
  const {
    shown: { usage },
  } = await describeStores(stores.createMemoryStore(onFailure, undefined), 'outside')
  if (failure) return err(failure)
  const room = Object.values(usage).reduce((sum, store) => sum + (store ? Math.max(0, store.charLimit - store.usedChars) : 0), 0)
  const grown = requests * Math.min(room / CHARS_PER_TOKEN, LEARNED_TOKENS * turnsBefore)
  const outputTokens = requests * Math.min(home.options.review.maxOutputTokens, LEAST_ANSWER_TOKENS + ANSWER_TOKENS * turns.length)
  return ok({ inputTokens: Math.ceil(inputTokens + grown), outputTokens, requests })
}
