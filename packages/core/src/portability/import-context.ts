/** What all parts of an import share. */

import type { ZodMiniType } from 'zod/mini'
import type { ReviewGate } from '../gate/review-gate.ts'
import type { HostActor, HostRecorder } from '../journal/host-writes.ts'
import type { Pending } from '../journal/pending.ts'
import type { MemoryStore } from '../memory/memory-store.ts'
import type { MemoryWrite } from '../memory/memory-store-options.ts'
import { DOCUMENT_LIMITS, parseBoundedJson } from '../shared/bounded-json.ts'
import type { Clock } from '../shared/clock.ts'
import { HermesError } from '../shared/hermes-error.ts'
import { pause } from '../shared/pause.ts'
import { err, ok, type Result } from '../shared/result.ts'
import { updateJsonDocument } from '../storage/json-document.ts'
import { readDocument, UNCHANGED } from '../storage/one-document.ts'
import type { DocumentContent, StorageBackend } from '../storage/storage-backend.ts'
import { findNewCredentials } from '../threats/credentials/find-credentials.ts'
import { toScanParts } from '../threats/scan-parts.ts'
import { scanThreats, type ThreatScope } from '../threats/scan.ts'
import { type ExportPart, partOf } from './export-scope.ts'
import type { ImportTally } from './import-report.ts'

/** What decides about the items of an archive that is not trusted. */
export interface OutsideGate {
  readonly gate: ReviewGate
  readonly pending: Pick<Pending, 'get' | 'hold'>
  /** Ids of held proposals that were approved or rejected in this home. */
  readonly decided: ReadonlySet<string>
}

export interface ImportContext {
  readonly storage: StorageBackend
  readonly clock: Clock
  /** Documents of the archive by path, sorted. */
  readonly contents: ReadonlyMap<string, DocumentContent>
  /** See `ImportOptions`. */
  readonly trusted: boolean
  /** Undefined if the archive is trusted. */
  readonly outside: OutsideGate | undefined
  readonly tally: ImportTally
  readonly actor: HostActor
  readonly record: HostRecorder['record']
  /** Creates a store with the limits of the home, which journals its writes in the same update. */
  readonly createMemoryStore: (storage: StorageBackend, onWrite?: (write: MemoryWrite) => Promise<void>) => MemoryStore
  /** Called with each memory write, once it is written. */
  readonly onMemoryWrite: (write: MemoryWrite) => void
}

/** The reason given in the journal and the archive. */
export const IMPORTED = 'It was imported from an archive.'

/** True if the storage as a whole has failed: the import stops and can be run again. Any other error refuses one item only. */
export const endsImport = ({ code }: HermesError): boolean =>
  code === 'io' || code === 'no_space' || code === 'closed' || code === 'locked' || code === 'unwritable' || code === 'timeout'

export const invalidImport = (message: string): HermesError => new HermesError('invalid', message)

// Texts of an archive are scanned as the stores do, in pieces, so that a long text does not block the event loop.

const UNITS_BETWEEN_PAUSES = 16_384

export interface ImportScanner {
  /** `blocked` if the text contains a threat. The message has the findings, never the text. */
  readonly findThreat: (text: string, scope: ThreatScope) => Promise<HermesError | undefined>
  /** The same for credentials. */
  readonly findCredential: (text: string) => Promise<HermesError | undefined>
}

const blocked = (message: string): HermesError => new HermesError('blocked', message)

/** All scans of one scanner count together towards the next pause. */
export const createScanner = (): ImportScanner => {
  let sincePause = 0
  const takeTurn = async (text: string): Promise<void> => {
    sincePause += text.length
    if (sincePause < UNITS_BETWEEN_PAUSES) return
    sincePause = 0
    await pause()
  }
  return {
    findThreat: async (text, scope) => {
      for (const part of toScanParts(text)) {
        await takeTurn(part)
        const findings = scanThreats(part, scope)
        if (findings.length > 0) return blocked(`The threat scan blocked it (${findings.join(', ')}).`)
      }
      return undefined
    },
    findCredential: async (text) => {
      await takeTurn(text)
      const kinds = findNewCredentials('', text)
      return kinds ? blocked(`It contains ${kinds.join(' and ')}. Secrets are stored neither in memory nor in skills.`) : undefined
    },
  }
}

/** `unreadable` unless the bytes are JSON within the limits of a document, `invalid` with `otherwise` unless they fit the schema. */
export const parseDocument = <T>(bytes: Uint8Array, schema: ZodMiniType<T>, otherwise: string): Result<T> => {
  const data = parseBoundedJson(bytes, DOCUMENT_LIMITS)
  if (!data.ok) return err(new HermesError('unreadable', `It ${data.error.message}.`))
  const parsed = schema.safeParse(data.value)
  return parsed.success ? ok(parsed.data) : err(invalidImport(otherwise))
}

const isAdmitted = async <T>(
  storage: StorageBackend,
  path: string,
  document: T,
  mayWrite: (path: string, document: T) => Promise<Result<boolean>>,
): Promise<Result<boolean>> => {
  const current = await readDocument(storage, path)
  if (!current.ok && endsImport(current.error)) return current
  return current.ok && current.value ? ok(true) : mayWrite(path, document)
}

/**
 * Adds the documents of one part. A document that is in this home stays unchanged. `read`: what is stored for a document, `undefined` if it counts as being in
 * this home; its error refuses the document. `mayWrite`: asked before a new document is written; false if it was counted otherwise.
 */
export const addDocuments = async <T>(
  { storage, contents, tally }: ImportContext,
  part: ExportPart,
  schema: ZodMiniType<T>,
  read: (path: string, bytes: Uint8Array) => Promise<Result<T | undefined>>,
  mayWrite: (path: string, document: T) => Promise<Result<boolean>> = async () => ok(true),
): Promise<Result<void>> => {
  for (const [path, { bytes }] of contents) {
    if (partOf(path) !== part) continue
    const document = await read(path, bytes)
    const admitted = document.ok && document.value !== undefined ? await isAdmitted(storage, path, document.value, mayWrite) : ok(true)
    if (!admitted.ok) return admitted
    if (!admitted.value) continue
    let isNew = false
    const written =
      document.ok && document.value !== undefined
        ? await updateJsonDocument(storage, path, schema, (current) => {
            isNew = current === undefined
            return isNew ? document.value : UNCHANGED
          })
        : document
    if (document.ok && !written.ok && endsImport(written.error)) return written
    if (!written.ok) tally.refused(part, path, written.error)
    else if (isNew) tally.added(part)
    else tally.alreadyThere(part)
  }
  return ok(undefined)
}
