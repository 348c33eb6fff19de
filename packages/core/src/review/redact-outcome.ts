/** Removes credentials from what a review returns, since its events go to logs. Pure. */
import { HermesError } from '../shared/hermes-error.ts'
import { isData, someText } from '../shared/json-texts.ts'
import { findCredentials, holdsCredential } from '../threats/credentials/find-credentials.ts'
import { REDACTED, redactCredentials, redactSecrets } from '../threats/credentials/redact-credentials.ts'
import type { ReviewOutcome } from './review-outcome.ts'

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
