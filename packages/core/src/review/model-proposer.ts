/** The proposer behind a real review: one call to the host's model, one retry in all, and nothing that is not in its answer. */
import type { HostModel, HostModelMessage } from '../model/host-model.ts'
import type { Transcript } from '../proposal/transcript.ts'
import { HermesError } from '../shared/hermes-error.ts'
import { err, type Result } from '../shared/result.ts'
import { ANSWER_SCHEMA } from './answer-schema.ts'
import { startModelBudget } from './call-model.ts'
import { cutEnd, cutMiddle } from './cut-text.ts'
import { DEFAULT_MAX_PROPOSALS, parseProposals } from './parse-proposals.ts'
import { askAgain } from './prompts/answer-format.ts'
import { neutralise } from './prompts/data-fence.ts'
import { describeRemembered, describeWaiting, digestRequest, type Remembered, replayRequest } from './prompts/review-request.ts'
import type { ReviewProposer } from './review-proposer.ts'
import { countUnits, UNITS_PER_TOKEN } from './token-estimate.ts'
import { DEFAULT_MAX_INPUT_TOKENS, digestTranscript } from './transcript.ts'

export interface ModelProposerOptions extends Remembered {
  readonly model: HostModel
  readonly mode: 'digest' | 'replay'
  /** What is reviewed; where it is empty, the summary given to the proposer stands in. */
  readonly transcript: Transcript
  /** What is held already, as texts, oldest first: the reviewer is told not to propose it again. The newest 30 are shown. */
  readonly waiting?: readonly string[]
  /** Epoch milliseconds, so that the reviewer knows the date. */
  readonly now?: number
  /** Default 20. */
  readonly maxProposals?: number
  /** For both attempts together. Default 120,000. */
  readonly timeoutMs?: number
  /** Default 2,000. */
  readonly maxOutputTokens?: number
  /** Estimated tokens of the whole request, retry included; at least 4,000. Default 24,000. In replay mode the host's own prefix comes on top. */
  readonly maxInputTokens?: number
  readonly signal?: AbortSignal
}

export const DEFAULT_TIMEOUT_MS = 120_000
export const DEFAULT_MAX_OUTPUT_TOKENS = 2_000
/** Prompt, entries and a few messages need so much. */
export const MIN_INPUT_TOKENS = 4_000

/** Neither store takes more of the request than this part. */
const STORE_SHARE = 5
/** Nor does the list of what waits. */
const QUEUE_SHARE = 10

/** Kept free for the retry: the answer that could not be read, and why. */
const RETRY_TOKENS = 600
const RETRY_ANSWER_UNITS = 1_600
const RETRY_PROBLEM_CHARS = 200

const buildRequest = (summary: string, options: ModelProposerOptions) => {
  const { mode, transcript, now, waiting = [], maxProposals = DEFAULT_MAX_PROPOSALS } = options
  const maxInputTokens = Math.max(MIN_INPUT_TOKENS, options.maxInputTokens ?? DEFAULT_MAX_INPUT_TOKENS)
  const remembered = describeRemembered(options, Math.floor((maxInputTokens * UNITS_PER_TOKEN) / STORE_SHARE))
  const queue = describeWaiting(waiting, Math.floor((maxInputTokens * UNITS_PER_TOKEN) / QUEUE_SHARE))
  const parts = { remembered, waiting: queue, maxProposals, now }
  if (mode === 'replay') return replayRequest(parts)
  const frame = digestRequest('', parts)
  const room = maxInputTokens - RETRY_TOKENS - Math.ceil((countUnits(frame.system) + countUnits(frame.user)) / UNITS_PER_TOKEN)
  const conversation =
    transcript.length > 0
      ? digestTranscript(transcript, { maxInputTokens: room })
      : cutMiddle(neutralise(summary), Math.max(0, room) * UNITS_PER_TOKEN)
  return digestRequest(conversation, parts)
}

/** Fails with `model`, `timeout` or `unparseable`. A throw and an answer that cannot be read are tried once more, a timeout is not. */
export const modelProposer = (options: ModelProposerOptions): ReviewProposer => {
  const { model, mode, maxProposals, timeoutMs = DEFAULT_TIMEOUT_MS, maxOutputTokens = DEFAULT_MAX_OUTPUT_TOKENS, signal } = options
  return async (summary): Promise<Result<readonly unknown[]>> => {
    const { system, user } = buildRequest(summary, options)
    const budget = startModelBudget(model, timeoutMs, signal)
    const request = { purpose: 'review', mode, system, schema: ANSWER_SCHEMA, maxOutputTokens } as const
    const attempt = async (messages: readonly HostModelMessage[]) => {
      const answer = await budget.call({ ...request, messages })
      return { answer, proposals: answer.ok ? parseProposals(answer.value, maxProposals) : answer }
    }
    try {
      const asked: HostModelMessage = { role: 'user', content: user }
      const first = await attempt([asked])
      if (first.proposals.ok || first.proposals.error.code === 'timeout') return first.proposals
      // An empty message is refused by some providers, so a blank answer is not shown to the model again.
      const unread = first.answer.ok ? first.answer.value.trim() : ''
      const again: readonly HostModelMessage[] =
        unread === ''
          ? [asked]
          : [
              asked,
              { role: 'assistant', content: cutMiddle(unread, RETRY_ANSWER_UNITS) },
              { role: 'user', content: askAgain(cutEnd(first.proposals.error.message, RETRY_PROBLEM_CHARS)) },
            ]
      const second = await attempt(again)
      if (second.proposals.ok) return second.proposals
      const { code, message, details, cause } = second.proposals.error
      return code === 'timeout' ? second.proposals : err(new HermesError(code, `${message} It was tried twice.`, { cause, details }))
    } finally {
      budget.end()
    }
  }
}
