/** One line about a failed model call: what happened, and what a person can do. */
import { APICallError, RetryError } from 'ai'
import { oneLine } from './terminal/text.ts'

const rootCause = (error: unknown): unknown => {
  if (RetryError.isInstance(error)) return rootCause(error.lastError)
  return error
}

const systemCode = (error: unknown): string | undefined => {
  if (!(error instanceof Error)) return undefined
  const code: unknown = 'code' in error ? error.code : undefined
  return typeof code === 'string' ? code : systemCode(error.cause)
}

const whatHappened = (error: unknown): string => {
  const code = systemCode(error)
  if (code === 'ECONNREFUSED' || code === 'ENOTFOUND' || code === 'ECONNRESET') return `the provider cannot be reached (${code})`
  if (!APICallError.isInstance(error)) return error instanceof Error ? error.message : String(error)
  switch (error.statusCode) {
    case undefined:
      return `the provider cannot be reached (${error.message})`
    case 401:
    case 403:
      return `the provider refused the key (${error.statusCode}: ${error.message})`
    case 404:
      return `the provider does not know this model or address (404: ${error.message})`
    case 429:
      return `too many requests or no credit left (429: ${error.message})`
    default:
      return `the provider answered ${error.statusCode}: ${error.message}`
  }
}

/** `advice`: what to check with this provider. */
export const explainModelError = (error: unknown, advice: string): string =>
  oneLine(`The model failed: ${oneLine(whatHappened(rootCause(error)), 200)}. ${advice}`)
