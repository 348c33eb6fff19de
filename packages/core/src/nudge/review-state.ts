/**
 * The review state of a home, in `sessions/.reviews.json`: how far each session has been read, which review is running, and the recent cost of learning. The
 * only place of these marks; a session's save changes its record and this state in one update. Pure.
 */
import * as z from 'zod/mini'
import { SESSIONS_FOLDER } from '../storage/storage-paths.ts'
import type { TurnCounts } from './nudge-intervals.ts'

export const REVIEW_STATE_PATH = `${SESSIONS_FOLDER}/.reviews.json`

const count = /* @__PURE__ */ z.lazy(() => z.int().check(z.nonnegative()))

/** Number of finished user turns, and of model steps that called tools. */
const counts = { turns: count, iterations: count }

const askedSchema = /* @__PURE__ */ z.lazy(() => z.object(counts))

/** For each pass, the last turn it has read. */
const readSchema = /* @__PURE__ */ z.lazy(() => z.object({ words: count, everything: count, skills: count }))

const sessionReadingSchema = /* @__PURE__ */ z.lazy(() =>
  z.object({
    id: z.string(),
    /** Creation time of the record, in epoch milliseconds. A different value means another record with the same id, whose turns are numbered from 1 again. */
    createdAt: z.number(),
    /** As stored in the session's record. */
    turns: count,
    iterations: count,
    /** Epoch milliseconds of its newest turn. */
    updatedAt: z.number(),
    /** Counts at which reviews were last requested: anything beyond counts for the next one. */
    asked: askedSchema,
    read: readSchema,
    /** Number of turns whose text the record still holds, as far as known here. */
    kept: count,
  }),
)

const scopeSchema = /* @__PURE__ */ z.lazy(() =>
  z.object({
    /** The pass over the user's own words. */
    words: z.boolean(),
    /** The pass over everything, if there is text from outside. */
    everything: z.boolean(),
    skills: z.boolean(),
  }),
)

const leaseSchema = /* @__PURE__ */ z.lazy(() =>
  z.object({
    /** Higher than the number of every earlier review. */
    fence: count,
    /** Epoch milliseconds; renewed while the review runs, and expired once its process counts as dead. */
    until: z.number(),
    scope: scopeSchema,
    /** Counts from before the review, restored if it is cancelled. */
    asked: z.readonly(z.array(z.object({ ...counts, id: z.string(), createdAt: z.number() }))),
  }),
)

const daySchema = /* @__PURE__ */ z.lazy(() =>
  z.object({
    /** Result of `dayOf`. */
    day: count,
    /** Tokens of the host's own calls, if they are counted. */
    host: count,
    /** Tokens of reviews. */
    learning: count,
  }),
)

export const reviewStateSchema = /* @__PURE__ */ z.lazy(() =>
  z.object({
    version: z.literal(1),
    /** Number of the newest review. */
    fence: count,
    sessions: z.readonly(z.array(sessionReadingSchema)),
    review: z.exactOptional(leaseSchema),
    /** Number of consecutive failed reviews. */
    failures: count,
    /** Epoch milliseconds until which no review starts automatically, after too many failures. */
    pausedUntil: z.exactOptional(z.number()),
    /** Whole intervals that a due review has waited and that were reported. */
    waited: count,
    /** Tokens of the newest review, used as the estimate for the next one. */
    lastCost: count,
    /** Newest last. */
    days: z.readonly(z.array(daySchema)),
  }),
)

export type ReviewState = z.infer<typeof reviewStateSchema>
export type SessionReading = z.infer<typeof sessionReadingSchema>
export type ReviewScope = z.infer<typeof scopeSchema>

export const EMPTY_REVIEW_STATE: ReviewState = { version: 1, fence: 0, sessions: [], failures: 0, waited: 0, lastCost: 0, days: [] }

/** A running review may outlive a lost state, and its number must not be reused. */
export const newReviewState = (at: number): ReviewState => ({ ...EMPTY_REVIEW_STATE, fence: Math.max(0, Math.floor(at)) })

/** What a session has saved. `reviewed`: counts that were reviewed already, or are too old to be, where the home does not know the session. */
export interface SavedCounts extends Omit<SessionReading, 'asked' | 'read'> {
  readonly reviewed: TurnCounts
}

/** Milliseconds without activity after which a home is idle. */
export const IDLE_AFTER_MS = 30 * 60_000
/** Number of days that count for the budget. */
export const BUDGET_DAYS = 7
/** Maximum number of sessions, most recently used. The turns of others count again with their session's next turn. */
export const MAX_SESSIONS = 1_000
const DAY_MS = 86_400_000
/** Milliseconds after which a session without stored text and without a requested review is dropped: one may never become due. */
const FORGET_AFTER_MS = 7 * DAY_MS

/** True if the session's record has everything that is still needed. */
const isForgettable = ({ turns, iterations, asked, kept, updatedAt }: SessionReading, at: number): boolean =>
  kept === 0 && at - updatedAt > (asked.turns >= turns && asked.iterations >= iterations ? IDLE_AFTER_MS : FORGET_AFTER_MS)

export const newestTurnAt = ({ sessions }: ReviewState): number | undefined =>
  sessions.length === 0 ? undefined : Math.max(...sessions.map(({ updatedAt }) => updatedAt))

/** While a review is running all sessions stay, since it may be reading them. */
const worthKnowing = (sessions: readonly SessionReading[], at: number): readonly SessionReading[] => {
  const known = sessions.filter((session) => !isForgettable(session, at))
  return known.length < MAX_SESSIONS ? known : known.toSorted((a, b) => a.updatedAt - b.updatedAt).slice(1 - MAX_SESSIONS)
}

/** What the home knows of a session; undefined if that is another record with the same id. */
export const readingOf = (state: ReviewState, { id, createdAt }: Pick<SessionReading, 'id' | 'createdAt'>): SessionReading | undefined =>
  state.sessions.find((session) => session.id === id && session.createdAt === createdAt)

/** A session that the home does not know yet. */
export const newReading = ({ reviewed, ...saved }: SavedCounts): SessionReading => {
  const { turns } = reviewed
  return { ...saved, asked: reviewed, read: { words: turns, everything: turns, skills: turns } }
}

/** Notes what a session has saved. */
export const noteSession = (state: ReviewState, saved: SavedCounts, at: number): ReviewState => {
  const { reviewed: _, ...counts } = saved
  const known = readingOf(state, saved)
  const others = state.sessions.filter(({ id }) => id !== saved.id)
  return {
    ...state,
    sessions: [...(state.review ? others : worthKnowing(others, at)), known ? { ...known, ...counts } : newReading(saved)],
  }
}

export const withoutSession = (state: ReviewState, forgotten: string): ReviewState => ({
  ...state,
  sessions: state.sessions.filter(({ id }) => id !== forgotten),
  ...(state.review ? { review: { ...state.review, asked: state.review.asked.filter(({ id }) => id !== forgotten) } } : {}),
})

/** Days since 1970, in UTC. */
export const dayOf = (at: number): number => Math.max(0, Math.floor(at / DAY_MS))

export const countTokens = (
  state: ReviewState,
  tokens: { readonly host?: number; readonly learning?: number },
  at: number,
): ReviewState => {
  const { host = 0, learning = 0 } = tokens
  if (host === 0 && learning === 0) return state
  const today = dayOf(at)
  const days = state.days.filter(({ day }) => day > today - BUDGET_DAYS && day <= today)
  const last = days.at(-1)
  const known = last?.day === today ? last : { day: today, host: 0, learning: 0 }
  const counted = { day: today, host: known.host + host, learning: known.learning + learning }
  return { ...state, days: [...days.filter(({ day }) => day !== today), counted] }
}

/** For each pass, the last turn it has read. */
export interface ReadMarks {
  readonly words: number
  readonly everything: number
  readonly skills: number
}

/** For each pass, the later turn. */
export const further = (one: ReadMarks, other: ReadMarks): ReadMarks => ({
  words: Math.max(one.words, other.words),
  everything: Math.max(one.everything, other.everything),
  skills: Math.max(one.skills, other.skills),
})
