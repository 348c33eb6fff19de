/** The journal: what was proposed, what became of it and why (DESIGN 5). Append-only; one document per append, so writers never contend. */
import type { Clock } from '../shared/clock.ts'
import { HermesError } from '../shared/hermes-error.ts'
import { err, ok, type Result } from '../shared/result.ts'
import { type StorageBackend, UNCHANGED } from '../storage/storage-backend.ts'
import { JOURNAL_FOLDER } from '../storage/storage-paths.ts'
import { cutOp } from './cut-op.ts'
import { decodeJournal, encodeJournal } from './journal-lines.ts'
import { journalPath, timeOfJournalPath } from './journal-path.ts'
import type { JournalRecord } from './journal-record.ts'
import { redactLines, redactSecrets } from './redact-secrets.ts'

/** A record before the journal gives it its id and its time. */
export type JournalRecordInput = Omit<JournalRecord, 'id' | 'at'>

export interface JournalFilter {
  readonly sessionId?: string
  /** The newest so many. */
  readonly limit?: number
  /** Epoch milliseconds, included. */
  readonly since?: number
}

export interface Journal {
  /**
   * Durable when it resolves. Texts that hold a credential are stored as `[redacted: looks like a secret]`, of a skill's file only the lines that hold it;
   * giant operations are cut, with a mark.
   */
  append(records: readonly JournalRecordInput[]): Promise<Result<readonly JournalRecord[]>>
  /** Newest last. A line that cannot be read is skipped and told to `onProblem`. */
  list(filter?: JournalFilter): Promise<Result<readonly JournalRecord[]>>
}

export interface JournalOptions {
  readonly storage: StorageBackend
  readonly clock: Clock
  /** Unique, and fit for a file name. */
  readonly createId: () => string
  /** Hears of every line that `list` could not read. */
  readonly onProblem?: (problem: HermesError) => void
}

const MAX_ID_ATTEMPTS = 5

/** Writes a new document; an id that was given out before never overwrites anything. */
const writeNew = async (storage: StorageBackend, at: number, id: string, bytes: Uint8Array): Promise<Result<void>> => {
  for (let attempt = 1; attempt <= MAX_ID_ATTEMPTS; attempt++) {
    let taken = false
    const path = journalPath(at, attempt === 1 ? id : `${id}-${attempt}`)
    const written = await storage.update(path, (current) => {
      taken = current !== undefined
      return taken ? UNCHANGED : bytes
    })
    if (!written.ok) return written
    if (!taken) return ok(undefined)
  }
  return err(new HermesError('occupied', `The journal id '${id}' is taken. Give 'createId' a source of unique ids.`))
}

const matches = (record: JournalRecord, { sessionId, since }: JournalFilter): boolean =>
  (sessionId === undefined || record.sessionId === sessionId) && (since === undefined || record.at >= since)

export const createJournal = ({ storage, clock, createId, onProblem = () => {} }: JournalOptions): Journal => {
  // Two appends of one millisecond keep their order in the names.
  let lastNamedAt = Number.NEGATIVE_INFINITY

  return {
    append: async (inputs) => {
      const [first, ...rest] = inputs
      if (first === undefined) return ok([])
      const at = clock()
      // Redacted before it is cut: half a key is still half a key.
      const stamp = (input: JournalRecordInput): JournalRecord => {
        const { op, previous, ...rest } = input
        const redact = input.target === 'skill' ? redactLines : undefined
        return {
          id: createId(),
          at,
          ...redactSecrets(rest),
          ...(op ? { op: cutOp(redactSecrets(op, redact)) } : {}),
          ...(previous ? { previous: redactSecrets(previous, redact) } : {}),
        }
      }
      const head = stamp(first)
      const records = [head, ...rest.map(stamp)]
      lastNamedAt = Math.max(at, lastNamedAt + 1)
      const written = await writeNew(storage, lastNamedAt, head.id, encodeJournal(records))
      return written.ok ? ok(records) : written
    },

    list: async (filter = {}) => {
      const { limit = Number.POSITIVE_INFINITY, since } = filter
      const documents = await storage.list(JOURNAL_FOLDER)
      if (!documents.ok) return documents
      const paths = documents.value.map(({ path }) => path).filter((path) => (timeOfJournalPath(path) ?? -1) >= (since ?? 0))
      const newestFirst: JournalRecord[] = []
      for (const path of paths.reverse()) {
        if (newestFirst.length >= limit) break
        const document = await storage.read(path)
        if (!document.ok) {
          onProblem(document.error)
          continue
        }
        if (!document.value) continue
        const { records, problems } = decodeJournal(path, document.value.bytes)
        problems.forEach(onProblem)
        newestFirst.push(...records.filter((record) => matches(record, filter)).reverse())
      }
      return ok(newestFirst.slice(0, limit).reverse())
    },
  }
}
