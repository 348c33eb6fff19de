/** When a review is due: pure arithmetic over two counters (seed 001 section 1, reference hermes-memory 9). */

/** User turns between two memory reviews. */
export const DEFAULT_MEMORY_NUDGE_INTERVAL = 10

/** Model steps that called tools between two skill reviews. */
export const DEFAULT_SKILL_NUDGE_INTERVAL = 10

/** Unread turns that a review takes which is not due by count: at the end of a session, in an idle home, or on request. */
export const DEFAULT_MIN_TURNS = 3

export interface NudgeCounters {
  /** The user's turns since the last review of memory began. */
  readonly turnsSinceReview: number
  /** Model steps that called tools since the last review of skills began. */
  readonly iterationsSinceReview: number
}

/** 0 switches a nudge off. */
export interface NudgeIntervals {
  readonly memoryInterval: number
  readonly skillInterval: number
}

export interface Nudges {
  readonly memory: boolean
  readonly skill: boolean
}

const isDue = (count: number, interval: number): boolean => interval > 0 && count >= interval

export const decideNudges = (counters: NudgeCounters, intervals: NudgeIntervals): Nudges => ({
  memory: isDue(counters.turnsSinceReview, intervals.memoryInterval),
  skill: isDue(counters.iterationsSinceReview, intervals.skillInterval),
})

/** The counter of a conversation that is taken up again with its history: what is left after the reviews it has had. */
export const hydrateCount = (countInHistory: number, interval: number): number => (interval > 0 ? countInHistory % interval : 0)
