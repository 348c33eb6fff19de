/** The archive of removed entries: written before an entry is removed. Nothing in it is ever deleted. */
import { HermesError } from '../../shared/hermes-error.ts'
import { err, ok, type Result } from '../../shared/result.ts'
import { readJsonDocument, updateJsonDocument } from '../../storage/json-document.ts'
import type { StorageBackend } from '../../storage/storage-backend.ts'
import { holdsCredential } from '../../threats/credentials/find-credentials.ts'
import { REDACTED, redactCredentials } from '../../threats/credentials/redact-credentials.ts'
import { memoryFileName } from '../memory-file-name.ts'
import type { MemoryTarget } from '../memory-op.ts'
import type { MemorySource, ProvenanceFile } from '../provenance.ts'
import { lookUpFacts } from '../provenance-store.ts'
import {
  type ArchivedEntry,
  type ArchivedEntryDocument,
  archivedEntryName,
  archivedEntryPath,
  archivedEntrySchema,
  archiveFolderOf,
  nameOfArchivedEntry,
  parseArchivedEntryId,
  redactedName,
  toArchivedEntry,
} from './archived-entry.ts'
import { foldWhiteSpace, type LostEntry } from './lost-entries.ts'

export interface ArchivedChange {
  readonly target: MemoryTarget
  readonly lost: readonly LostEntry[]
  readonly provenance: ProvenanceFile | undefined
  readonly source?: MemorySource | undefined
  /** Epoch milliseconds. */
  readonly forgottenAt: number
}

const notKept = (target: MemoryTarget, { code, message, cause, details }: HermesError): HermesError =>
  new HermesError(
    code,
    `${memoryFileName(target)} was left unchanged, because the entry that would leave it could not be archived. ${message}`,
    { cause, details },
  )

const evictedFrom = (target: MemoryTarget): string => `${memoryFileName(target)} was full, and this made room for a newer entry.`

/**
 * Call it before the entries are removed from their file: a process killed in between leaves a surplus copy, never a loss. For an entry
 * with a secret only the fact is stored. Fails with the storage's error; the entries must then be kept.
 */
export const archiveEntries = async (
  storage: StorageBackend,
  { target, lost, provenance, source, forgottenAt }: ArchivedChange,
): Promise<Result<void>> => {
  const texts = lost.map(({ text }) => text)
  const facts = await lookUpFacts(ok(provenance), target, texts)
  const archive = async ({ text, replacedBy, evicted }: LostEntry, index: number): Promise<Result<unknown>> => {
    const secret = holdsCredential(text)
    const reason = evicted ? evictedFrom(target) : source?.reason
    const { origin = 'external', firstSeenAt = 0, lastConfirmedAt = 0 } = facts[index] ?? {}
    const document: ArchivedEntryDocument = {
      version: 1,
      target,
      text: secret ? REDACTED : text,
      ...(secret ? { redacted: true } : {}),
      origin,
      firstSeenAt,
      lastConfirmedAt,
      forgottenAt,
      ...(source?.sessionId === undefined ? {} : { sessionId: source.sessionId }),
      ...(reason === undefined ? {} : { reason: redactCredentials(reason) }),
      ...(replacedBy === undefined ? {} : { replacedBy: redactCredentials(replacedBy) }),
    }
    const name = secret ? redactedName(forgottenAt, index) : await archivedEntryName(text)
    return updateJsonDocument(storage, archivedEntryPath(target, name), archivedEntrySchema, () => document)
  }
  for (const kept of await Promise.all(lost.map(archive))) if (!kept.ok) return err(notKept(target, kept.error))
  return ok(undefined)
}

/** In no order, without texts that are in the store. Unreadable documents are kept and reported to `onProblem`. */
export const listArchivedEntries = async (
  storage: StorageBackend,
  target: MemoryTarget,
  standing: readonly string[],
  onProblem: (problem: HermesError) => void,
): Promise<Result<readonly ArchivedEntry[]>> => {
  const documents = await storage.list(archiveFolderOf(target))
  if (!documents.ok) return documents
  const stands = new Set(standing.map(foldWhiteSpace))
  const found: ArchivedEntry[] = []
  for (const { path } of documents.value) {
    const name = nameOfArchivedEntry(target, path)
    if (name === undefined) continue
    const document = await readJsonDocument(storage, path, archivedEntrySchema)
    if (!document.ok) onProblem(document.error)
    else if (document.value && !stands.has(foldWhiteSpace(document.value.text))) found.push(toArchivedEntry(name, document.value))
  }
  return ok(found)
}

/** `not_found` for an unknown id and for an entry whose text was not stored. */
export const findArchivedEntry = async (storage: StorageBackend, id: string): Promise<Result<ArchivedEntry>> => {
  const place = typeof id === 'string' ? parseArchivedEntryId(id) : undefined
  const document = place
    ? await readJsonDocument(storage, archivedEntryPath(place.target, place.name), archivedEntrySchema)
    : ok<ArchivedEntryDocument | undefined>(undefined)
  if (!document.ok) return document
  if (!place || !document.value) {
    return err(
      new HermesError('not_found', `The archive holds no entry '${String(id).slice(0, 80)}'. List what is archived to see the ids.`),
    )
  }
  if (document.value.redacted) {
    const message = `The text of '${id}' looked like a secret, so it was not kept and cannot come back. Keep secrets in a password manager.`
    return err(new HermesError('not_found', message))
  }
  return ok(toArchivedEntry(place.name, document.value))
}
