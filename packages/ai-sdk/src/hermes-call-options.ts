/** `providerOptions.hermes` of one call: which session it belongs to, or that it belongs to none. */
import { asRecord } from './provider-protocol.ts'

/** What a host writes: `generateText({ …, providerOptions: { hermes: { sessionId } } })`. Nothing of it reaches the wire. */
export type HermesCallOptions = {
  /** Names the session where one wrapped model serves many. */
  readonly sessionId?: string
  /** A side call (a title, a summary): no block, no count, no review. */
  readonly skip?: boolean
  /** Set by Hermes on its own calls, so that a recording model or an inner wrapper can tell them apart. */
  readonly purpose?: 'review'
}

export interface ReadCallOptions {
  readonly sessionId?: string
  readonly skip: boolean
  /** What cannot be read, in words for the host. */
  readonly problem?: string
}

/** Reads leniently: an option of the wrong type counts as absent and is named in `problem`. */
export const readCallOptions = (providerOptions: unknown): ReadCallOptions => {
  const given = asRecord(providerOptions)['hermes']
  if (given === undefined || given === null) return { skip: false }
  if (typeof given !== 'object' || Array.isArray(given)) return { skip: false, problem: 'providerOptions.hermes is not an object' }
  const { sessionId, skip, purpose } = asRecord(given)
  const problems: string[] = []
  if (sessionId !== undefined && (typeof sessionId !== 'string' || sessionId === '')) problems.push('sessionId is not a non-empty string')
  if (skip !== undefined && typeof skip !== 'boolean') problems.push('skip is not a boolean')
  return {
    ...(typeof sessionId === 'string' && sessionId !== '' ? { sessionId } : {}),
    skip: skip === true || purpose === 'review',
    ...(problems.length === 0 ? {} : { problem: `providerOptions.hermes: ${problems.join(', ')}` }),
  }
}

/** The host's options with the mark of a review on them. */
export const markReview = (providerOptions: unknown): Readonly<Record<string, unknown>> => {
  const options = asRecord(providerOptions)
  return { ...options, hermes: { ...asRecord(options['hermes']), purpose: 'review' } satisfies HermesCallOptions }
}
