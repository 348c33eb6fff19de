/** A failed model call in words: what happened, and what helps. */
import { APICallError, InvalidResponseDataError, JSONParseError, RetryError } from 'ai'
import { oneLine } from './text.ts'

export type ModelErrorKind =
  | 'key'
  | 'model'
  | 'too-long'
  | 'rate'
  | 'credit'
  | 'request'
  | 'server'
  | 'refused'
  | 'no-host'
  | 'no-answer'
  | 'closed'
  | 'unreachable'
  | 'cut'
  | 'unreadable'
  | 'other'

export interface ModelErrorSituation {
  /** What to check with this provider, as a sentence. */
  readonly advice: string
  /** How to go on after a conversation that has become too long, as a sentence. */
  readonly startOver: string
  /** A part of the answer had arrived before the error. */
  readonly begun: boolean
}

interface Facts {
  /** The provider's or the system's own words, on one line. */
  readonly message: string
  readonly status: number | undefined
  /** Seconds, if the provider named them. */
  readonly waitSeconds: number | undefined
}

const SYSTEM_CODES: Readonly<Record<string, ModelErrorKind>> = {
  ECONNREFUSED: 'refused',
  ENOTFOUND: 'no-host',
  EAI_AGAIN: 'no-host',
  ECONNRESET: 'closed',
  EPIPE: 'closed',
  UND_ERR_SOCKET: 'closed',
  ETIMEDOUT: 'no-answer',
  UND_ERR_CONNECT_TIMEOUT: 'no-answer',
  UND_ERR_HEADERS_TIMEOUT: 'no-answer',
  UND_ERR_BODY_TIMEOUT: 'no-answer',
}

const STATUS: Readonly<Record<number, ModelErrorKind>> = {
  401: 'key',
  403: 'key',
  404: 'model',
  402: 'credit',
  413: 'too-long',
  429: 'rate',
}

const TOO_LONG =
  /context[ _](?:length|window|size)|maximum context|prompt is too long|too many (?:input )?tokens|exceeds? the .*(?:token|context)/i
const NO_CREDIT = /insufficient_quota|credit balance|billing|exceeded your current quota/i

/** Of the error or the first of its causes that has one. */
const systemCode = (error: unknown): string | undefined => {
  if (!(error instanceof Error)) return undefined
  return 'code' in error && typeof error.code === 'string' ? error.code : systemCode(error.cause)
}

const kindOfCall = ({ statusCode: status = 0, message, responseBody = '' }: APICallError): ModelErrorKind => {
  const text = `${message} ${responseBody}`
  if (status >= 400 && status < 500 && status !== 401 && TOO_LONG.test(text)) return 'too-long'
  if (status === 429 && NO_CREDIT.test(text)) return 'credit'
  return STATUS[status] ?? (status >= 500 ? 'server' : status >= 400 ? 'request' : 'unreachable')
}

/** Pure. `error`: without the retries around it. */
export const kindOfModelError = (error: unknown, begun: boolean): ModelErrorKind => {
  const bySystem = SYSTEM_CODES[systemCode(error) ?? '']
  if (begun && (bySystem !== undefined || InvalidResponseDataError.isInstance(error))) return 'cut'
  if (bySystem !== undefined) return bySystem
  if (APICallError.isInstance(error)) return begun ? 'cut' : kindOfCall(error)
  return JSONParseError.isInstance(error) || InvalidResponseDataError.isInstance(error) ? 'unreadable' : 'other'
}

const AGAIN = 'This usually passes: try again in a moment.'

const WORDS: Readonly<Record<ModelErrorKind, (facts: Facts, situation: ModelErrorSituation) => string>> = {
  key: ({ status, message }, { advice }) => `The provider refused the key (${status}: ${message}). ${advice}`,
  model: ({ message }, { advice }) => `The provider does not know this model or address (404: ${message}). ${advice}`,
  'too-long': (_, { startOver }) => `The conversation has become too long for this model. ${startOver}`,
  rate: ({ message, waitSeconds: wait }) =>
    `The provider asks for fewer requests (429: ${message}). Wait ${wait === undefined ? 'a minute' : `${wait} s`}, then try again.`,
  credit: ({ message }) => `The provider's account has no credit left (${message}). Its billing page says more; waiting does not help.`,
  request: ({ status, message }) =>
    `The provider cannot use this request (${status}: ${message}). If the model does not support tools or streaming, choose another one with --model.`,
  server: ({ status, message }) => `The provider has a problem of its own (${status}: ${message}). ${AGAIN}`,
  refused: (_, { advice }) => `Nothing answers at the provider's address (connection refused). If the server is yours, start it. ${advice}`,
  'no-host': (_, { advice }) => `The provider's host name was not found. Check your network connection. ${advice}`,
  'no-answer': () => `The provider does not answer. Check your network connection; else it is busy. ${AGAIN}`,
  closed: () => `The provider closed the connection before it answered. ${AGAIN}`,
  unreachable: ({ message }, { advice }) => `The provider cannot be reached (${message}). ${advice}`,
  cut: () => 'The answer broke off: the connection was lost. What is above is incomplete and not part of the conversation.',
  unreadable: ({ message }, { advice }) =>
    `This is not the answer of a model (${message}). A web page or a proxy may have answered. ${advice}`,
  other: ({ message }) => `The model failed: ${message}.`,
}

const factsOf = (error: unknown): Facts => {
  const call = APICallError.isInstance(error) ? error : undefined
  const wait = Number(call?.responseHeaders?.['retry-after'])
  return {
    message: oneLine(error instanceof Error ? error.message : String(error), 160).replace(/[.:\s]+$/, ''),
    status: call?.statusCode,
    waitSeconds: wait > 0 ? Math.ceil(wait) : undefined,
  }
}

/** One or more sentences, without a line break. */
export const explainModelError = (error: unknown, situation: ModelErrorSituation): string => {
  const cause = RetryError.isInstance(error) ? error.lastError : error
  return oneLine(WORDS[kindOfModelError(cause, situation.begun)](factsOf(cause), situation))
}
