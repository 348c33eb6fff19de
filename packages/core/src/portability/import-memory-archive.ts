/** Adds the archived entries of an export to the memory archive. An entry with the same text stays unchanged. */
import {
  type ArchivedEntryDocument,
  archivedEntryName,
  archivedEntryPath,
  archivedEntrySchema,
  nameOfArchivedEntry,
} from '../memory/archive/archived-entry.ts'
import { MEMORY_TARGETS } from '../memory/memory-op.ts'
import { prepareOps } from '../memory/prepare-ops.ts'
import { DOCUMENT_LIMITS, parseBoundedJson } from '../shared/bounded-json.ts'
import { HermesError } from '../shared/hermes-error.ts'
import { err, ok, type Result } from '../shared/result.ts'
import { updateJsonDocument } from '../storage/json-document.ts'
import { UNCHANGED } from '../storage/storage-backend.ts'
import { REDACTED, redactCredentials } from '../threats/credentials/redact-credentials.ts'
import { partOf } from './export-scope.ts'
import { endsImport, type ImportContext, invalidImport } from './import-context.ts'
import { createScanner, type ImportScanner } from './import-threats.ts'
import { isTime } from './newest-record.ts'

const parse = (path: string, bytes: Uint8Array): Result<ArchivedEntryDocument> => {
  const data = parseBoundedJson(bytes, DOCUMENT_LIMITS)
  if (!data.ok) return err(new HermesError('unreadable', `It ${data.error.message}.`))
  const parsed = archivedEntrySchema.safeParse(data.value)
  const isTimed = parsed.success && [parsed.data.firstSeenAt, parsed.data.lastConfirmedAt, parsed.data.forgottenAt].every(isTime)
  if (!isTimed) return err(invalidImport('It is not an archived entry.'))
  return parsed.data.target === MEMORY_TARGETS.find((target) => nameOfArchivedEntry(target, path))
    ? ok(parsed.data)
    : err(invalidImport('It is in the folder of the other store.'))
}

/** Refuses an entry that the store would refuse to restore. */
const check = async (document: ArchivedEntryDocument, path: string, scanner: ImportScanner): Promise<HermesError | undefined> => {
  const { target, text, redacted, reason = '', replacedBy = '' } = document
  if (redacted) {
    if (text !== REDACTED) return invalidImport('It is marked as redacted but contains a text.')
  } else {
    if (path !== archivedEntryPath(target, await archivedEntryName(text))) return invalidImport('Its name does not match its text.')
    const prepared = prepareOps({ action: 'add', content: text })
    if (!prepared.ok) return prepared.error
  }
  return scanner.findThreat(`${text}\n${reason}\n${replacedBy}`, 'strict')
}

const toStored = (
  { target, text, redacted, origin, firstSeenAt, lastConfirmedAt, forgottenAt, sessionId, reason, replacedBy }: ArchivedEntryDocument,
  trusted: boolean,
): ArchivedEntryDocument => ({
  version: 1,
  target,
  text,
  ...(redacted ? { redacted } : {}),
  origin: trusted ? origin : 'tool',
  firstSeenAt,
  lastConfirmedAt,
  forgottenAt,
  ...(sessionId === undefined ? {} : { sessionId: redactCredentials(sessionId) }),
  ...(reason === undefined ? {} : { reason: redactCredentials(reason) }),
  ...(replacedBy === undefined ? {} : { replacedBy: redactCredentials(replacedBy) }),
})

export const importMemoryArchive = async ({ storage, contents, trusted, tally }: ImportContext): Promise<Result<void>> => {
  const scanner = createScanner()
  for (const [path, { bytes }] of contents) {
    if (partOf(path) !== 'memoryArchive') continue
    const document = parse(path, bytes)
    const problem = document.ok ? await check(document.value, path, scanner) : document.error
    if (!document.ok || problem) {
      if (problem) tally.refused('memoryArchive', path, problem)
      continue
    }
    let isNew = false
    const written = await updateJsonDocument(storage, path, archivedEntrySchema, (current) => {
      isNew = current === undefined
      return isNew ? toStored(document.value, trusted) : UNCHANGED
    })
    if (!written.ok && endsImport(written.error)) return written
    if (!written.ok) tally.refused('memoryArchive', path, written.error)
    else if (isNew) tally.added('memoryArchive')
    else tally.alreadyThere('memoryArchive')
  }
  return ok(undefined)
}
