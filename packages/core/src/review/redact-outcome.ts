/** Removes credentials from what a review returns, since its events go to logs. Pure. */
import { HermesError } from '../shared/hermes-error.ts'
import { someText } from '../shared/json-texts.ts'
import { findCredentials, holdsCredential } from '../threats/credentials/find-credentials.ts'
import { REDACTED, redactCredentials, redactSecrets } from '../threats/credentials/redact-credentials.ts'
import type { ReviewOutcome } from './review-outcome.ts'

/** Replaces the credential alone, so that the rest still says what happened; the whole line if that is not possible. */
const redactMessage = (message: string): string => {
  const redacted = (findCredentials(message) ?? []).reduce((text, found) => text.replaceAll(found.text, REDACTED), message)
  return holdsCredential(redacted) ? redactCredentials(message) : redacted
}

const isInError = (error: unknown): boolean =>
  HermesError.isInstance(error)
    ? holdsCredential(error.message) || someText(error.details, holdsCredential) || isInError(error.cause)
    : error instanceof Error && (holdsCredential(error.message) || isInError(error.cause))

/** The same error unless it holds a credential. A copy is without its cause, whose text cannot be changed. */
export const redactError = (error: HermesError): HermesError =>
  isInError(error) ? new HermesError(error.code, redactMessage(error.message), { details: redactSecrets(error.details) }) : error

/** The same value unless it holds a credential. A proposer of the host may return what is not JSON, such as a value inside itself. */
const redactData = <T>(value: T): T | string => {
  try {
    return someText(value, holdsCredential) ? redactSecrets(value) : value
  } catch {
    return '[cannot be shown as JSON]'
  }
}

/** Lines with a credential become `[redacted: looks like a secret]`, as in the journal. */
export const redactOutcome = ({ applied, rejected, failed }: ReviewOutcome): ReviewOutcome => ({
  applied: redactSecrets(applied),
  rejected: rejected.map((each) => ({ ...redactSecrets({ ...each, proposal: undefined }), proposal: redactData(each.proposal) })),
  failed: failed.map(({ proposal, error }) => ({ proposal: redactSecrets(proposal), error: redactError(error) })),
})
