/** `hermes.learn`: learning on request, from documents and old conversations (DESIGN 7). */
import type { Home } from './home.ts'
import { findUndo } from './home-undo.ts'
import { isWrite } from './journal/plan-undo.ts'
import type { HostModel } from './model/host-model.ts'
import type { LearningCost } from './model/learning-cost.ts'
import { estimateBatch, type LearnEstimate } from './session/estimate-batch.ts'
import type { LearnBatch, LearnTurn } from './session/learn-batch.ts'
import { type LearnedSources, readSources } from './session/learned-sources.ts'
import type { ReviewRun } from './session/review-request.ts'
import type { Reviews } from './session/reviews.ts'
import { areMessages } from './session/session.ts'
import type { SessionHome } from './session/session-home.ts'
import { HermesError } from './shared/hermes-error.ts'
import { err, ok, type Result } from './shared/result.ts'
import { projectFault } from './storage/project.ts'

export interface LearnOptions {
  /** Default: `review.model`. */
  readonly model?: HostModel
  /** Cancels the batch: nothing of it was learned. */
  readonly signal?: AbortSignal
  /** Called once, if a model was called. */
  readonly onCost?: (cost: LearningCost) => void
}

/** For a person or the host's code: never offer it to the agent. Errors are returned, never thrown. */
export interface HermesLearn {
  /** What was read before, by the digests that `batch` was given. A source whose learning was taken back counts as unread. Fails with `unreadable` if that cannot be read; so does `batch`, before it asks a model. */
  sources(): Promise<Result<LearnedSources>>
  /** Tokens that a batch would use, before a retry. `turnsBefore`: turns of earlier batches that are not learned yet. Asks no model. */
  estimate(turns: readonly LearnTurn[], turnsBefore?: number): Promise<Result<LearnEstimate>>
  /**
   * One review of these turns alone; unread turns of sessions stay unread. What it writes and up to where the sources are then read is one update: a failed or
   * cancelled batch is read again, another never. Fails with `invalid` for a malformed batch, and with `superseded` if another act has read from its sources since
   * `marks`. `busy`: another review of the home is running.
   */
  batch(batch: LearnBatch, options?: LearnOptions): Promise<Result<ReviewRun>>
}

const MAX_TURNS = 100
const MAX_ID_CHARS = 100
const DIGEST = /^[0-9a-f]{16,128}$/

const MAX_SESSION_CHARS = 512

const isId = (id: unknown): boolean => typeof id === 'string' && id !== '' && id.length <= MAX_SESSION_CHARS && id.isWellFormed()

/** What a JavaScript caller passes is stored in part, and must be readable then. */
const faultOfTurns = (turns: readonly LearnTurn[]): string | undefined => {
  if (!Array.isArray(turns) || turns.length === 0 || turns.length > MAX_TURNS) return `'turns' must be a list of 1 to ${MAX_TURNS} turns.`
  for (const turn of turns) {
    const { sessionId, project, messages, toolIterations = 0, at = 0 }: Partial<LearnTurn> = turn ?? {}
    if (!areMessages(messages)) return "'messages' of a turn must be a list, each with a 'role' of user, assistant or tool and a 'text'."
    if (!isId(sessionId)) return `'sessionId' of a turn must be a text of 1 to ${MAX_SESSION_CHARS} characters.`
    const fault = project === undefined ? undefined : projectFault(project)
    if (fault !== undefined) return `'project' of a turn ${fault}.`
    if (typeof at !== 'number' || Number.isNaN(new Date(at).getTime())) return "'at' of a turn must be a time in epoch milliseconds."
    if (!Number.isSafeInteger(toolIterations) || toolIterations < 0) return "'toolIterations' of a turn must be a whole number, 0 or more."
  }
  return undefined
}

const faultOf = (batch: LearnBatch): string | undefined => {
  if (typeof batch !== 'object' || batch === null) return 'a batch is an object with learnId, turns and read.'
  const { learnId, turns, read, marks } = batch
  if (typeof learnId !== 'string' || learnId.trim() === '' || learnId.length > MAX_ID_CHARS)
    return `'learnId' must be a text of 1 to ${MAX_ID_CHARS} characters.`
  const fault = faultOfTurns(turns)
  if (fault !== undefined) return fault
  const isRead =
    read instanceof Map && [...read].every(([digest, count]) => DIGEST.test(digest) && Number.isSafeInteger(count) && count >= 0)
  if (marks !== undefined && !(marks instanceof Map)) return "'marks' must be a Map, such as that of hermes.learn.sources()."
  return isRead ? undefined : "'read' must be a Map of the number of turns by digest: 16 to 128 hexadecimal digits in lower case."
}

/** Of the writes of an act, the first and the last have been taken back. */
const isUndone = async (learnId: string, home: Home): Promise<Result<boolean>> => {
  const listed = await home.journal.list({ review: learnId })
  if (!listed.ok) return listed
  const writes = listed.value.filter(isWrite)
  for (const record of new Set([writes[0], writes.at(-1)])) {
    const undo = record ? await findUndo(record, home) : ok(undefined)
    if (!undo.ok || !undo.value) return undo.ok ? ok(false) : undo
  }
  return ok(true)
}

/** The reviews of the home. */
interface RequestedReviews {
  readonly sessionHome: SessionHome
  request(ask: (reviews: Reviews) => Promise<Result<ReviewRun>>): Promise<Result<ReviewRun>>
}

export const homeLearn = (home: Home, learning: RequestedReviews): HermesLearn => ({
  sources: async () => {
    const found = await readSources(home.storage)
    if (!found.ok) return found
    const { sources, unfinished } = found.value
    const undone = new Set<string>()
    for (const learnId of new Set([...sources.values()].map((source) => source.learnId))) {
      const checked = await isUndone(learnId, home)
      if (!checked.ok) return checked
      if (checked.value) undone.add(learnId)
    }
    return ok({ sources: new Map([...sources].filter(([, { learnId }]) => !undone.has(learnId))), marks: sources, unfinished })
  },
  estimate: async (turns, turnsBefore = 0) => {
    const fault = faultOfTurns(turns)
    if (fault !== undefined) return err(new HermesError('invalid', `hermes.learn.estimate: ${fault}`))
    return estimateBatch(learning.sessionHome, turns, turnsBefore)
  },
  batch: async (batch, { model, signal, onCost } = {}) => {
    const fault = faultOf(batch)
    if (fault) return err(new HermesError('invalid', `hermes.learn.batch: ${fault}`))
    const request = { ownModel: model, signal, onCost, sessionId: batch.turns.at(-1)?.sessionId }
    return learning.request((reviews) => reviews.learn(batch, request))
  },
})
