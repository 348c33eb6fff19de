/** The proposer of a real review: one call to the host's model and at most one retry; adds nothing to the model's answer. */

import { isMemoryTarget, MEMORY_ACTIONS, type MemoryTarget } from '../../memory/memory-op.ts'
import { startModelBudget } from '../../model/call-model.ts'
import { cutEnd, cutMiddle } from '../../model/cut-text.ts'
import { neutralise } from '../../model/data-fence.ts'
import type { HostModel, HostModelMessage } from '../../model/host-model.ts'
import type { LearningCost } from '../../model/learning-cost.ts'
import { countUnits, UNITS_PER_TOKEN } from '../../model/token-estimate.ts'
import type { Transcript } from '../../proposal/transcript.ts'
import { callSafely } from '../../shared/call-safely.ts'
import { type Clock, systemTimeZone } from '../../shared/clock.ts'
import { HermesError } from '../../shared/hermes-error.ts'
import { err, ok, type Result } from '../../shared/result.ts'
import { SKILL_ACTIONS } from '../../skills/skill-op.ts'
import { DEFAULT_MAX_OUTPUT_TOKENS, DEFAULT_MAX_PROPOSALS, DEFAULT_MAX_SKILL_OUTPUT_TOKENS, DEFAULT_TIMEOUT_MS } from '../review-limits.ts'
import { inputBudget, inputShares, RETRY_TOKENS } from './input-shares.ts'
import { parseProposals } from './parse-proposals.ts'
import {
  describeDone,
  describeRemembered,
  describeWaiting,
  digestRequest,
  type Remembered,
  replayRequest,
  storesOf,
} from './prompts/review-request.ts'
import { askAgain } from './prompts/reviewer-role.ts'
import { RequestDates } from './request-dates.ts'
import {
  drop,
  isAboutMemory,
  isAboutSkills,
  type ProposedItem,
  type ProposedItems,
  type ReviewKind,
  type ReviewProposer,
} from './review-proposer.ts'
import { digestEarlier, digestTranscript } from './transcript.ts'

// JSON Schema of the answer, a hint for providers: no optional keys and closed objects, as strict modes require (reference ecosystem 3).

const closed = (properties: Readonly<Record<string, unknown>>) => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
  additionalProperties: false,
})

const textOrNull = { type: ['string', 'null'] }

/** Skill actions allowed in a review; the agent's own tool has more. */
const REVIEW_SKILL_ACTIONS = ['create', 'patch', 'write_file'] as const

const targetsOf = (kind: ReviewKind, stores: readonly MemoryTarget[]): readonly string[] => [
  ...(isAboutMemory(kind) ? stores : []),
  ...(isAboutSkills(kind) ? ['skill'] : []),
]

const actionsOf = (kind: ReviewKind): readonly string[] => [
  ...(isAboutMemory(kind) ? MEMORY_ACTIONS : []),
  ...(isAboutSkills(kind) ? REVIEW_SKILL_ACTIONS : []),
]

/** One flat operation for all targets, since some strict modes do not support alternatives. */
const answerSchema = (kind: ReviewKind, stores: readonly MemoryTarget[]): Readonly<Record<string, unknown>> =>
  closed({
    proposals: {
      type: 'array',
      items: closed({
        target: { type: 'string', enum: targetsOf(kind, stores) },
        op: closed({
          action: { type: 'string', enum: actionsOf(kind) },
          ...(isAboutSkills(kind) ? { name: textOrNull, category: textOrNull, filePath: textOrNull } : {}),
          content: textOrNull,
          oldText: textOrNull,
          ...(isAboutMemory(kind) ? { from: textOrNull, until: textOrNull } : {}),
          ...(isAboutSkills(kind) ? { newText: textOrNull } : {}),
        }),
        rationale: { type: 'string' },
        score: { type: 'number' },
        evidence: { type: 'array', items: closed({ messageId: textOrNull, quote: { type: 'string' } }) },
      }),
    },
  })

export interface ModelProposerOptions extends Remembered {
  readonly model: HostModel
  readonly mode: 'digest' | 'replay'
  /** What the review is about. Default `memory`. */
  readonly kind?: ReviewKind
  /** The skills as shown to the reviewer, for a review of skills. */
  readonly library?: string
  /** The conversation to review; if empty, the summary given to the proposer is reviewed instead. */
  readonly transcript: Transcript
  /** What was said before the transcript, for a review of skills: shown shortened, in a digest of at most 1,000 tokens; not in replay mode. */
  readonly earlier?: Transcript
  /**
   * Estimated tokens of the request without skills, above which long messages of the agent and of tools are shortened. Default: `maxInputTokens`. The user's
   * words are never shortened.
   */
  readonly aimTokens?: number
  /** Texts of pending proposals, oldest first: the reviewer is told not to propose them again. The newest 30 are shown. */
  readonly waiting?: readonly string[]
  /** Also shows text from outside, after the own words were reviewed without it. Default false. */
  readonly showsOutside?: boolean
  /** Changes of memory by that earlier review, a line each. */
  readonly done?: readonly string[]
  /** Epoch milliseconds; tells the reviewer the date. */
  readonly now?: number
  /** The user's, in which the date is told. Default: that of the system. */
  readonly timeZone?: string | undefined
  /** Default 20. */
  readonly maxProposals?: number
  /** Milliseconds for both attempts together. Default 120,000. */
  readonly timeoutMs?: number
  /** Default 2,000; for reviews of skills 6,000. */
  readonly maxOutputTokens?: number
  /** Estimated tokens of the whole request, retry included; at least 4,000. Default 24,000. In replay mode the host's own prefix is added to this. */
  readonly maxInputTokens?: number
  readonly signal?: AbortSignal
  /** Measures the duration of the calls. Default: the system clock. */
  readonly clock?: Clock
  /** Called with the cost of the calls after they end, whether they succeeded or failed. */
  readonly onCost?: (cost: LearningCost) => void
}

/** Minimum tokens of the conversation before it is shortened, however long the rest of the request is. */
const LEAST_AIM = 600

const RETRY_ANSWER_UNITS = 1_600
const RETRY_PROBLEM_CHARS = 200

/** Adds a full stop to a provider's message if it has no end mark. */
const endSentence = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`)

const buildRequest = (summary: string, options: ModelProposerOptions) => {
  const { mode, kind = 'memory', transcript, now, library = '', waiting = [], done = [], earlier = [], showsOutside = false } = options
  const { maxProposals = DEFAULT_MAX_PROPOSALS } = options
  const stores = storesOf(options)
  const shares = inputShares(options.maxInputTokens, kind, maxProposals, stores.length)
  const parts = {
    kind,
    remembered: describeRemembered(options, shares.store),
    library: cutMiddle(library, shares.skills),
    waiting: describeWaiting(waiting, shares.waiting),
    done: describeDone(done, shares.waiting),
    earlier: digestEarlier(earlier, Math.floor(shares.earlier / UNITS_PER_TOKEN)),
    showsOutside,
    hasProject: stores.includes('project'),
    hasProfile: stores.includes('profile'),
    maxProposals,
    dates: now === undefined ? undefined : new RequestDates(now, options.timeZone ?? systemTimeZone()),
  }
  if (mode === 'replay') return replayRequest({ ...parts, since: transcript[0]?.at })
  const frame = digestRequest('', parts)
  const frameTokens = Math.ceil((countUnits(frame.system) + countUnits(frame.user)) / UNITS_PER_TOKEN)
  const room = inputBudget(options.maxInputTokens) - RETRY_TOKENS - frameTokens
  const aim =
    (options.aimTokens ?? inputBudget(options.maxInputTokens)) - frameTokens + Math.ceil(countUnits(parts.library) / UNITS_PER_TOKEN)
  const conversation =
    transcript.length > 0
      ? digestTranscript(transcript, { maxInputTokens: room, aimTokens: Math.max(LEAST_AIM, aim), dates: parts.dates })
      : cutMiddle(neutralise(summary), Math.max(0, room) * UNITS_PER_TOKEN)
  return digestRequest(conversation, parts)
}

/** Estimated tokens of the first call. */
export const estimateReview = (summary: string, options: ModelProposerOptions): number => {
  const { system, user } = buildRequest(summary, options)
  return Math.ceil((countUnits(system) + countUnits(user)) / UNITS_PER_TOKEN)
}

/** Drops skill operations that an unattended review may not propose: archiving, removing files and rewriting whole skills, whatever the gate would decide. */
const onlyGently = (item: object): ProposedItem => {
  const op: unknown = Reflect.get(item, 'op')
  const action: unknown = typeof op === 'object' && op !== null ? Reflect.get(op, 'action') : undefined
  const isOther = SKILL_ACTIONS.some((other) => other === action) && !REVIEW_SKILL_ACTIONS.some((own) => own === action)
  return isOther
    ? drop(`A review may only ${REVIEW_SKILL_ACTIONS.join(', ')}; '${String(action)}' is reserved for the agent or a person.`, item)
    : ok(item)
}

/** Drops proposals for targets outside the kind of review, since the reviewer was not shown what is needed to judge them. */
const onlyAsked =
  (kind: ReviewKind, stores: readonly MemoryTarget[]) =>
  (proposed: ProposedItem): ProposedItem => {
    if (!proposed.ok || typeof proposed.value !== 'object' || proposed.value === null) return proposed
    const item = proposed.value
    const target: unknown = Reflect.get(item, 'target')
    if (target === 'skill') return isAboutSkills(kind) ? onlyGently(item) : drop('This review was not about skills.', item)
    if (!isMemoryTarget(target)) return proposed
    if (!stores.includes(target)) return drop(`This review was about no ${target}.`, item)
    return !isAboutMemory(kind) ? drop('This review was only about skills.', item) : proposed
  }

/** Fails with `model`, `timeout` or `unparseable`. After an exception or an unreadable answer it tries once more; after a timeout it does not. */
export const modelProposer = (options: ModelProposerOptions): ReviewProposer<ProposedItems> => {
  if (typeof options?.model !== 'function')
    throw new TypeError("modelProposer: 'model' must be a function that asks a model, such as hostModel(model) of @hermes/ai-sdk.")
  const { model, mode, kind = 'memory', maxProposals, timeoutMs = DEFAULT_TIMEOUT_MS, signal } = options
  const stores = storesOf(options)
  const { maxOutputTokens = isAboutSkills(kind) ? DEFAULT_MAX_SKILL_OUTPUT_TOKENS : DEFAULT_MAX_OUTPUT_TOKENS } = options
  return async (summary): Promise<Result<ProposedItems>> => {
    const { system, user } = buildRequest(summary, options)
    const budget = startModelBudget(model, { timeoutMs, signal, clock: options.clock })
    const request = { purpose: 'review', mode, system, schema: answerSchema(kind, stores), maxOutputTokens } as const
    const attempt = async (messages: readonly HostModelMessage[]) => {
      const answer = await budget.call({ ...request, messages })
      const parsed = answer.ok ? parseProposals(answer.value, maxProposals) : answer
      return { answer, proposals: parsed.ok ? ok({ items: parsed.value.items.map(onlyAsked(kind, stores)) }) : parsed }
    }
    try {
      const asked: HostModelMessage = { role: 'user', content: user }
      const first = await attempt([asked])
      if (first.proposals.ok || first.proposals.error.code === 'timeout') return first.proposals
      // Some providers refuse an empty message, so a blank answer is not sent back to the model.
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
      return code === 'timeout'
        ? second.proposals
        : err(new HermesError(code, `${endSentence(message)} It was tried twice.`, { cause, details }))
    } finally {
      budget.end()
      const cost = budget.cost()
      if (cost && options.onCost) callSafely(options.onCost, cost)
    }
  }
}
