/** After how many turns and steps a review is due. Pure. */

/** Counts of finished turns. */
export interface TurnCounts {
  /** Finished user turns. */
  readonly turns: number
  /** Model steps that called tools. */
  readonly iterations: number
}

/** User turns between two memory reviews (seed 001 section 1, reference hermes-memory 9). */
export const DEFAULT_MEMORY_NUDGE_INTERVAL = 10

/** Model steps that called tools, between two skill reviews. */
export const DEFAULT_SKILL_NUDGE_INTERVAL = 10

/** Minimum number of unread turns for a review that is not due by count: at the end of a session, in an idle home, or on request. */
export const DEFAULT_MIN_TURNS = 3

interface NudgeCounters {
  /** The user's turns since the last memory review began. */
  readonly turnsSinceReview: number
  /** Model steps that called tools, since the last skill review began. */
  readonly iterationsSinceReview: number
}

/** 0 switches reviews of that kind off. */
export interface NudgeIntervals {
  readonly memoryInterval: number
  readonly skillInterval: number
}

const isDue = (count: number, interval: number): boolean => interval > 0 && count >= interval

/** Which reviews are due by count. */
export const decideNudges = (
  counters: NudgeCounters,
  intervals: NudgeIntervals,
): { readonly memory: boolean; readonly skill: boolean } => ({
  memory: isDue(counters.turnsSinceReview, intervals.memoryInterval),
  skill: isDue(counters.iterationsSinceReview, intervals.skillInterval),
})

/** The counter of a resumed conversation: the remainder after the reviews it has already had. */
export const hydrateCount = (countInHistory: number, interval: number): number => (interval > 0 ? countInHistory % interval : 0)
