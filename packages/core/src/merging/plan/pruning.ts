/** When a skill may be put away without its content going anywhere: long stale, and for a reason that is more than a counter (seed 001, 3). Pure. */

import { windowFactor } from '../../curator/transitions/ageing-options.ts'
import { contentWords } from '../../text/content-words.ts'
import type { UsageRecord } from '../../usage/usage-record.ts'

const DAY_MS = 24 * 60 * 60 * 1000

/** Younger ones that were never used have not had their chance. */
const NEVER_USED_DAYS = 30

/** A reason that says no more than this tells nothing about what the skill says. */
const COUNTER_WORDS = contentWords(
  `use uses used using unused usage count counts counter never ever not no zero none once rarely seldom times time view views viewed activity
  active inactive inactivity idle stale old older age days weeks months years recent recently last long since skill skills low value anymore
  longer patch patched patches`,
)

const saysOnlyCounters = (reason: string): boolean =>
  [...contentWords(reason)].every((word) => COUNTER_WORDS.has(word) || /^\d+$/.test(word))

export interface PruningClock {
  /** Epoch milliseconds. */
  readonly now: number
  readonly staleAfterDays: number
}

/** In words, or `undefined` where it may go. */
export const whyNotPruned = (record: UsageRecord, reason: string, { now, staleAfterDays }: PruningClock): string | undefined => {
  if (reason === '') return 'No reason was given for putting it away.'
  if (saysOnlyCounters(reason)) return 'How often it was used is no reason to put it away.'
  if (record.state !== 'stale') return 'It is not stale, so it is not put away without its content going into another skill.'
  const signs = [record.lastActivityAt, record.restoredAt, record.createdAt].filter((at) => at !== 0)
  if (signs.length === 0) return 'Nobody knows how old it is.'
  const idleDays = (now - Math.max(...signs)) / DAY_MS
  if (record.useCount === 0 && idleDays < NEVER_USED_DAYS) return `It was never used, but it is not ${NEVER_USED_DAYS} days old yet.`
  const window = staleAfterDays * windowFactor(record)
  // One window until it is stale, one more as stale.
  return idleDays >= 2 * window ? undefined : `It has been stale for less than ${window} days, so it is given more time.`
}
