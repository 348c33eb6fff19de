/** Proposals that were approved, or were to wait for a person, and of which nothing could be stored because the storage failed. Pure. */
import { HermesError, type HermesErrorCode } from '../../shared/hermes-error.ts'
import type { ReviewOutcome } from '../review-outcome.ts'

const OF_STORAGE: ReadonlySet<unknown> = new Set<HermesErrorCode>(['io', 'no_space', 'unwritable', 'unreadable', 'locked'])

/** True if the same change may succeed later: it is the storage that failed, not the change that was refused. */
export const isStorageFailure = ({ code, details }: HermesError): boolean =>
  OF_STORAGE.has(code) || (code === 'capped' && OF_STORAGE.has(details['causeCode']))

/** The reason of a proposal that waits because it could not be written. */
export const describeUnwritten = ({ message }: HermesError): string =>
  `It was approved, but could not be written in several reviews: ${message} Approve it once that is repaired.`

const NOT_HELD = 'A proposal that waits for a person could not be stored.'

/** For programs. Not enumerable, so that a log of the error holds no text of memory and no secret that was refused. */
const withOutcome = (outcome: ReviewOutcome): HermesError['details'] => Object.defineProperty({}, 'outcome', { value: outcome })

/** Undefined if everything was stored or refused for what it is. The error's `details.outcome` is the outcome. */
export const findUnwritten = (outcome: ReviewOutcome): HermesError | undefined => {
  const { applied, held, rejected, failed } = outcome
  const unwritten = failed.filter(({ error }) => isStorageFailure(error))
  const notHeld = held.filter(({ pendingId }) => pendingId === undefined)
  const count = unwritten.length + notHeld.length
  if (count === 0) return undefined
  const [first] = unwritten
  const code = first && OF_STORAGE.has(first.error.code) ? first.error.code : 'io'
  const all = applied.length + held.length + rejected.length + failed.length
  const message = `${count} of ${all} proposals could not be written: ${first?.error.message ?? NOT_HELD}`
  return new HermesError(code, message, { ...(first ? { cause: first.error } : {}), details: withOutcome(outcome) })
}
