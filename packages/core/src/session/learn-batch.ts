/**
 * A batch of what is learned on request: turns that no session of the home has recorded, read by one review. What it writes and up to where its sources are then
 * read is one update.
 */
import type { ReviewFate } from '../nudge/decide-review.ts'
import type { NudgeIntervals } from '../nudge/nudge-intervals.ts'
import { holdsOutsideText, stampTranscript } from '../proposal/stamp-transcript.ts'
import { isOwnMessage, type TurnMessage } from '../proposal/turn-message.ts'
import { ok } from '../shared/result.ts'
import type { LastPlan } from '../storage/in-transaction.ts'
import { orError } from '../storage/one-document.ts'
import { noteSources, pathsOf, type SourceMarks, type SourceReading } from './learned-sources.ts'
import type { BegunReview, DueReview, TurnToRead } from './review-request.ts'
import type { ReviewLease } from './run-review.ts'
import type { SessionHome } from './session-home.ts'
import { boundTurns, toUnreadTurn } from './unread-turns.ts'

/** One turn of an old conversation, or one part of a document. */
export interface LearnTurn {
  /** Names the conversation or document in the journal. */
  readonly sessionId: string
  /** Whose notes it is about; undefined: those of none. */
  readonly project?: string | undefined
  /** The user's own words are messages of the user that are not `outside`; whatever is from a document is. */
  readonly messages: readonly TurnMessage[]
  /** When it was said, in epoch milliseconds. Default: nobody knows. */
  readonly at?: number
  /** Text from outside was in sight before this turn. Default: if a turn before it in the batch, of the same conversation, holds some. */
  readonly tainted?: boolean
  /** Model steps that called tools. Default 0. */
  readonly toolIterations?: number
}

export interface LearnBatch {
  /** The same for all batches that one undo takes back. At most 100 characters. */
  readonly learnId: string
  /** At most 100. A review reads no more than fits its model: what it has no room for, the oldest first, is the event `turns-dropped`. */
  readonly turns: readonly LearnTurn[]
  /** How many turns of each source, named by its digest, are read with this batch. Empty: they come from no source, and nothing is marked as read. */
  readonly read: ReadonlyMap<string, number>
  /**
   * The marks of its sources when it was planned: those of `hermes.learn.sources()`, and of the batches of the same plan since then. If they have changed, another
   * act has read the same, and the batch fails with `superseded` before a model is asked. Default: not checked.
   */
  readonly marks?: SourceMarks
  /** No batch of the act follows. Default false. */
  readonly isLast?: boolean
}

/** In the form in which turns of a session are stored: bounded, and with credentials redacted. */
const toRead = (turns: readonly LearnTurn[]): readonly TurnToRead[] => {
  // As in a session: behind the first text from outside, the assistant's words count as such to its end.
  const outsideSeen = new Set<string>()
  const stored = turns.map(({ messages, toolIterations = 0, sessionId, project, tainted, at = 0 }) => {
    const isTainted = tainted === true || outsideSeen.has(sessionId)
    const turn = toUnreadTurn(messages, toolIterations > 0, { tainted: isTainted })
    if (isTainted || holdsOutsideText(stampTranscript(turn.messages, new Set()))) outsideSeen.add(sessionId)
    return { ...turn, sessionId, at, ...(project === undefined ? {} : { project }) }
  })
  const readers = { words: true, everything: true, skills: true }
  return boundTurns(stored).turns.map(
    ({ sessionId, project, messages, tainted, at }): TurnToRead => ({
      sessionId,
      at,
      ...(project === undefined ? {} : { project }),
      messages,
      ...(tainted === undefined ? {} : { tainted }),
      readers,
    }),
  )
}

/** A review of the batch alone, before it has the lease. Skills come from work with tools: as behind a turn, it is read for them if it has enough of that. */
export const toDue = (turns: readonly LearnTurn[], { memoryInterval, skillInterval }: NudgeIntervals): Omit<DueReview, 'fence'> => {
  const iterations = turns.reduce((sum, { toolIterations = 0 }) => sum + toolIterations, 0)
  const isWork = skillInterval > 0 && iterations >= skillInterval && turns.some(({ messages }) => messages.some(isOwnMessage))
  const scope = { words: memoryInterval > 0, everything: memoryInterval > 0, skills: isWork }
  const conversation = toRead(turns)
  const none = { shown: [], tainted: false, loadedSkills: [], failedUses: [] }
  return { scope, conversation, turns: conversation.length, iterations: 0, isLastTry: false, isRetry: false, ...none }
}

/** The lease of the home, with the marks of the sources in the update that ends the review. Its tokens were asked for, and count for no limit of learning. */
export class LearningLease implements ReviewLease {
  readonly #reviews: ReviewLease
  readonly #home: SessionHome
  readonly #reading: SourceReading

  constructor(reviews: ReviewLease, home: SessionHome, { learnId, read, isLast = false }: LearnBatch) {
    this.#reviews = reviews
    this.#home = home
    this.#reading = { learnId, read, isLast, at: home.clock() }
  }

  holding(review: BegunReview): LastPlan<undefined> {
    return this.#reviews.holding(review)
  }

  renew(review: BegunReview): ReturnType<ReviewLease['renew']> {
    return this.#reviews.renew(review)
  }

  reading(review: BegunReview): LastPlan<unknown> {
    const { paths, plan } = this.#reviews.reading(review, 0)
    return {
      paths: [...paths, ...pathsOf(this.#reading.read)],
      plan: (cut) => {
        const planned = plan(cut)
        return { ...planned, put: { ...planned.put, ...noteSources(cut, this.#reading) } }
      },
    }
  }

  async end(review: BegunReview, fate: ReviewFate): ReturnType<ReviewLease['end']> {
    if (fate !== 'read') return this.#reviews.end(review, fate, 0)
    const { paths, plan } = this.reading(review)
    const ended = await orError(() => this.#home.storage.update(paths, plan))
    return ended.ok ? ok({}) : ended
  }
}
