/** The buckets of a review: the three of seed 004 and `held`. Every proposal is in one of them. Pure. */

import type { SkillEvaluation } from '../evaluation/skill-evaluator.ts'
import type { Verdict } from '../gate/review-gate.ts'
import type { MemoryOpOutcome } from '../memory/memory-op.ts'
import type { ReviewProposal } from '../proposal/review-proposal.ts'
import { HermesError, type HermesErrorCode } from '../shared/hermes-error.ts'
import { isData, someText } from '../shared/json-texts.ts'
import type { SkillOpOutcome } from '../skills/skill-op.ts'
import { findCredentials, holdsCredential } from '../threats/credentials/find-credentials.ts'
import { REDACTED, redactCredentials, redactSecrets } from '../threats/credentials/redact-credentials.ts'

export interface AppliedProposal {
  readonly proposal: ReviewProposal
  readonly verdict: Verdict
  /** Discriminated by `outcome.target`. */
  readonly outcome: MemoryOpOutcome | SkillOpOutcome
  /** For a skill: what the host's evaluator said, if it said something. */
  readonly evaluation?: SkillEvaluation
}

export interface RejectedProposal {
  /** The proposal, or what the proposer returned if that is not a valid proposal. */
  readonly proposal: ReviewProposal | unknown
  readonly reason: string
}

/** Waits for a person. */
export interface HeldProposal {
  readonly proposal: ReviewProposal
  readonly reason: string
  /** Id in the queue; absent if there is no queue or it could not be written. */
  readonly pendingId?: string
}

export interface FailedProposal {
  readonly proposal: ReviewProposal
  /** Why the change could not be written: refused by the store or, for a skill, found to be impossible before the gate was asked. */
  readonly error: HermesError
}

/** The result of one proposal. */
export type DisposedProposal =
  | ({ readonly kind: 'applied' } & AppliedProposal)
  | ({ readonly kind: 'held' } & HeldProposal)
  | ({ readonly kind: 'rejected' } & RejectedProposal)
  | ({ readonly kind: 'failed' } & FailedProposal)

export interface ReviewOutcome {
  readonly applied: readonly AppliedProposal[]
  readonly held: readonly HeldProposal[]
  readonly rejected: readonly RejectedProposal[]
  readonly failed: readonly FailedProposal[]
}

export const emptyOutcome = (): ReviewOutcome => ({ applied: [], held: [], rejected: [], failed: [] })

/** True if anything was written or held for a person. */
export const hasWritten = ({ applied, held }: ReviewOutcome): boolean => applied.length + held.length > 0

/** Joins the outcomes of two consecutive reviews. */
export const joinOutcomes = (first: ReviewOutcome, then: ReviewOutcome): ReviewOutcome => ({
  applied: [...first.applied, ...then.applied],
  held: [...first.held, ...then.held],
  rejected: [...first.rejected, ...then.rejected],
  failed: [...first.failed, ...then.failed],
})

// What could not be written.

const OF_STORAGE: ReadonlySet<unknown> = new Set<HermesErrorCode>(['io', 'no_space', 'unwritable', 'unreadable', 'locked'])

/** True if the same change may succeed later: it is the storage that failed, not the change that was refused. */
export const isStorageFailure = ({ code, details }: HermesError): boolean =>
  OF_STORAGE.has(code) || (code === 'capped' && OF_STORAGE.has(details['causeCode']))

/** Also if something else stands where a document goes. */
export const isUnwritable = (error: HermesError): boolean =>
  isStorageFailure(error) || error.code === 'invalid_path' || error.code === 'occupied'

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

// What a review returns is without credentials, since its events go to logs.

/** Replaces the credential alone, so that the rest still says what happened; the whole line if that is not possible. */
const redactMessage = (message: string): string => {
  const redacted = (findCredentials(message) ?? []).reduce((text, found) => text.replaceAll(found.text, REDACTED), message)
  return holdsCredential(redacted) ? redactCredentials(message) : redacted
}

/** A cause may hold a whole request with its socket. What is larger counts as if it showed a credential. */
const MAX_OBJECTS = 10_000
const MAX_CHARS = 1_000_000

/** What a log of an object shows. */
const shownBy = (value: object): readonly unknown[] => [
  ...(value instanceof Error ? [value.message, value.cause, Reflect.get(value, 'errors')] : []),
  ...Object.values(value),
]

/** Whether any text that a log of the value shows is a credential. Each object is read once: an error may be its own cause. */
const showsCredential = (value: unknown): boolean => {
  const objects = new Set<object>()
  const unread = [value]
  let chars = 0
  while (unread.length > 0) {
    const next = unread.pop()
    if (typeof next === 'string') {
      chars += next.length
      if (chars > MAX_CHARS || holdsCredential(next)) return true
    } else if (typeof next === 'object' && next !== null && !ArrayBuffer.isView(next) && !objects.has(next)) {
      if (objects.size === MAX_OBJECTS) return true
      objects.add(next)
      for (const each of shownBy(next)) unread.push(each)
    }
  }
  return false
}

/** Errors, dates and other objects without a credential stay what they are. */
const redactValue = (value: unknown): unknown => {
  if (!showsCredential(value)) return value
  if (HermesError.isInstance(value)) return redactError(value)
  if (value instanceof Error) return redactMessage(value.message)
  if (Array.isArray(value)) return value.map(redactValue)
  return isData(value) ? redactValues(value) : redactSecrets(value)
}

const redactValues = (values: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> =>
  Object.fromEntries(Object.entries(values).map(([key, value]) => [key, redactValue(value)]))

/** `otherwise` for the host's data that cannot be read, is nested too deep or contains itself. */
const attempt = <T>(read: () => T, otherwise: T): T => {
  try {
    return read()
  } catch {
    return otherwise
  }
}

/** The same error unless it holds a credential. A copy is without its cause, whose text cannot be changed. */
export const redactError = (error: HermesError): HermesError =>
  attempt(() => showsCredential(error), true)
    ? new HermesError(error.code, redactMessage(error.message), { details: attempt(() => redactValues(error.details), {}) })
    : error

/** The same value unless it holds a credential. A proposer of the host may return what is not JSON, such as a value inside itself. */
const redactData = <T>(value: T): T | string =>
  attempt<T | string>(() => (someText(value, holdsCredential) ? redactSecrets(value) : value), '[cannot be shown as JSON]')

/** Lines with a credential become `[redacted: looks like a secret]`, as in the journal. */
export const redactOutcome = ({ applied, held, rejected, failed }: ReviewOutcome): ReviewOutcome => ({
  applied: redactSecrets(applied),
  held: redactSecrets(held),
  rejected: rejected.map((each) => ({ ...redactSecrets({ ...each, proposal: undefined }), proposal: redactData(each.proposal) })),
  failed: failed.map(({ proposal, error }) => ({ proposal: redactSecrets(proposal), error: redactError(error) })),
})

const withoutKind = <T extends { readonly kind: string }>({ kind: _, ...result }: T): Omit<T, 'kind'> => result

/** Each result in its bucket, without credentials. */
export const toOutcome = (results: readonly DisposedProposal[]): ReviewOutcome => {
  const applied: AppliedProposal[] = []
  const held: HeldProposal[] = []
  const rejected: RejectedProposal[] = []
  const failed: FailedProposal[] = []
  for (const result of results) {
    if (result.kind === 'applied') applied.push(withoutKind(result))
    else if (result.kind === 'held') held.push(withoutKind(result))
    else if (result.kind === 'rejected') rejected.push(withoutKind(result))
    else failed.push(withoutKind(result))
  }
  return redactOutcome({ applied, held, rejected, failed })
}
