/** One line about a failed model call: what happened, and what a person can do. */
import { APICallError, RetryError } from 'ai'
import { oneLine } from './text.ts'

const systemCode = (error: unknown): string | undefined => {
  if (!(error instanceof Error)) return undefined
  return 'code' in error && typeof error.code === 'string' ? error.code : systemCode(error.cause)
}

const whatHappened = (error: unknown): string => {
  const code = systemCode(error)
  if (code === 'ECONNREFUSED' || code === 'ENOTFOUND' || code === 'ECONNRESET') return `the provider cannot be reached (${code})`
  if (!APICallError.isInstance(error)) return error instanceof Error ? error.message : String(error)
  const { statusCode: status, message } = error
  if (status === undefined) return `the provider cannot be reached (${message})`
  if (status === 401 || status === 403) return `the provider refused the key (${status}: ${message})`
  if (status === 404) return `the provider does not know this model or address (404: ${message})`
  return status === 429 ? `too many requests or no credit left (429: ${message})` : `the provider answered ${status}: ${message}`
}

/** `advice`: what to check with this provider. */
export const explainModelError = (error: unknown, advice: string): string => {
  const cause = RetryError.isInstance(error) ? error.lastError : error
  return oneLine(`The model failed: ${oneLine(whatHappened(cause), 200)}. ${advice}`)
}
