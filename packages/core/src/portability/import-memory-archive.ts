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
import type { HermesError } from '../shared/hermes-error.ts'
import { err, ok, type Result } from '../shared/result.ts'
import { REDACTED, redactCredentials } from '../threats/credentials/redact-credentials.ts'
import { addDocuments, createScanner, type ImportContext, type ImportScanner, invalidImport, parseDocument } from './import-context.ts'
import { admitEntry } from './judge-outside.ts'
import { isTime } from './newest-record.ts'

const NO_ENTRY = 'It is not an archived entry.'

const parse = (path: string, bytes: Uint8Array): Result<ArchivedEntryDocument> => {
  const parsed = parseDocument(bytes, archivedEntrySchema, NO_ENTRY)
  if (!parsed.ok) return parsed
  const { target, firstSeenAt, lastConfirmedAt, forgottenAt } = parsed.value
  if (![firstSeenAt, lastConfirmedAt, forgottenAt].every(isTime)) return err(invalidImport(NO_ENTRY))
  return target === MEMORY_TARGETS.find((other) => nameOfArchivedEntry(other, path))
    ? parsed
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

export const importMemoryArchive = (context: ImportContext): Promise<Result<void>> => {
  const scanner = createScanner()
  return addDocuments(
    context,
    'memoryArchive',
    archivedEntrySchema,
    async (path, bytes) => {
      const document = parse(path, bytes)
      if (!document.ok) return document
      const problem = await check(document.value, path, scanner)
      return problem ? err(problem) : ok(toStored(document.value, context.trusted))
    },
    async (path, document) => (document.redacted ? ok(true) : admitEntry('memoryArchive', path, document, context)),
  )
}
