/** `providerOptions.hermes` of one call: its owner and session, or that it belongs to none. */
import { asRecord, callPlace, type HermesCall, type HermesTarget, type HermesWarningListener, identifyCall } from '@hermes/core/adapter'

/** Set by the host: `generateText({ …, providerOptions: { hermes: { user, sessionId } } })`. Never sent to the provider. */
export type HermesCallOptions = HermesCall & {
  /** Set by Hermes on its own calls, so that a recording model or an inner wrapper can tell them apart. */
  readonly purpose?: 'review'
}

const PLACE = callPlace(
  'providerOptions.hermes',
  (keys) => `Pass providerOptions: { hermes: { ${keys} } }, or { hermes: { skip: true } } for a side call.`,
)

/** See `identifyCall`. */
export const resolveSession = (target: HermesTarget, providerOptions: unknown, warn: HermesWarningListener) => {
  const given = asRecord(providerOptions)['hermes']
  return asRecord(given)['purpose'] === 'review' ? undefined : identifyCall(target, given, PLACE, warn)
}

/** The host's options with `purpose: 'review'` added. */
export const markReview = (providerOptions: unknown): Readonly<Record<string, unknown>> => {
  const options = asRecord(providerOptions)
  return { ...options, hermes: { ...asRecord(options['hermes']), purpose: 'review' } satisfies HermesCallOptions }
}
