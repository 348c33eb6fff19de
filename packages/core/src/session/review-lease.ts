/** The one review of a session that may be under way, in whichever process: what it takes from the record, and what comes back. Pure. */
import { type SessionRecord, toTurnMessages } from './session-record.ts'
import { boundedBacklog } from './turn-backlog.ts'

/** What a review covers: each counts on its own, and both may fall due at once. */
export interface ReviewScope {
  readonly memory: boolean
  readonly skills: boolean
}

const joined = (first: SessionRecord['backlog'] | undefined, then: SessionRecord['backlog'] | undefined): SessionRecord['backlog'] => [
  ...boundedBacklog([...toTurnMessages(first), ...toTurnMessages(then)]),
]

/**
 * The counts of what is reviewed begin anew when the review starts; what it reads stays in the record until it has ended. A review of skills alone leaves the
 * backlog to the memory review.
 */
export const startReview = (record: SessionRecord, at: number, { memory, skills }: ReviewScope): SessionRecord => {
  const { skillBacklog, skillsUnread = false, ...rest } = record
  const keepForSkills = memory && !skills && (skillsUnread || record.iterationsSinceReview > 0)
  return {
    ...rest,
    ...(memory ? { turnsSinceReview: 0, backlog: [] } : {}),
    ...(skills ? { iterationsSinceReview: 0 } : skillBacklog ? { skillBacklog } : {}),
    review: {
      startedAt: at,
      backlog: memory ? record.backlog : [],
      ...(skills ? { skills, ...(skillBacklog ? { skillBacklog } : {}) } : {}),
      ...(keepForSkills ? { keepForSkills } : {}),
    },
  }
}

/**
 * A review that failed, or whose process died, gives back what it had taken: the next one reads it too. The counts stay as they are, so that a model that
 * always fails is not asked after every turn.
 */
export const endReview = (record: SessionRecord, succeeded: boolean): SessionRecord => {
  const { review, ...rest } = record
  if (review === undefined) return record
  if (!succeeded) {
    const skillBacklog = joined(review.skillBacklog, record.skillBacklog)
    const backlog = joined(review.backlog, record.backlog)
    const skillsUnread = backlog.length > 0 && (review.skills === true || review.keepForSkills === true)
    return { ...rest, backlog, ...(skillBacklog.length > 0 ? { skillBacklog } : {}), ...(skillsUnread ? { skillsUnread } : {}) }
  }
  if (review.keepForSkills !== true || review.backlog.length === 0) return rest
  return { ...rest, skillBacklog: joined(record.skillBacklog, review.backlog) }
}

/** A review that has been under way for so long has died with its process. */
export const withoutStaleReview = (record: SessionRecord, at: number, staleAfterMs: number): SessionRecord =>
  record.review !== undefined && at - record.review.startedAt > staleAfterMs ? endReview(record, false) : record
