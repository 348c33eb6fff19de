/** The options of a back end and of a queue, with their defaults. */

export interface PostgresBackendOptions {
  /** The schema of the tables; the first call creates it. Default 'hermes'. */
  readonly schema?: string
  /** Longest time of a call, with its repetitions, in milliseconds. Default 15,000. */
  readonly timeoutMs?: number
  /** Longest document, in bytes. Default 64 MB, which is also the most that Neon takes in one request. */
  readonly maxDocumentBytes?: number
}

export type PostgresReviewQueueOptions = Pick<PostgresBackendOptions, 'schema' | 'timeoutMs'>

export type PostgresRecallIndexOptions = Pick<PostgresBackendOptions, 'schema' | 'timeoutMs'>

const MAX_TIMEOUT_MS = 600_000
/** PostgreSQL takes at most 1 GB for one value, and its text form has twice the length. */
const MAX_DOCUMENT_BYTES = 256 * 1024 * 1024

const checkNumber = (name: string, value: unknown, max: number): number => {
  if (typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= max) return value
  throw new TypeError(`${name} must be a whole number from 1 to ${max}, but is ${String(value)}.`)
}

/** Throws a TypeError for a number out of its range. */
export const checkOptions = ({
  schema = 'hermes',
  timeoutMs = 15_000,
  maxDocumentBytes = 64 * 1024 * 1024,
}: PostgresBackendOptions): Required<PostgresBackendOptions> => ({
  schema,
  timeoutMs: checkNumber('timeoutMs', timeoutMs, MAX_TIMEOUT_MS),
  maxDocumentBytes: checkNumber('maxDocumentBytes', maxDocumentBytes, MAX_DOCUMENT_BYTES),
})
