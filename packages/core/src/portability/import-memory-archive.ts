/** Adds the archived entries of an export to the memory archive. An entry with the same text stays unchanged. */
import {
  type ArchivedEntry,
  archivedEntryId,
  archiveLines,
  decodeArchive,
  encodeArchived,
  parseArchived,
  readArchive,
  readArchiveInSlices,
} from '../memory/memory-archive.ts'
import { prepareOps } from '../memory/plan-change.ts'
import type { HermesError } from '../shared/hermes-error.ts'
import { ok, type Result } from '../shared/result.ts'
import { readDocument } from '../storage/one-document.ts'
import { MEMORY_ARCHIVE_PATH } from '../storage/storage-paths.ts'
import { REDACTED, redactCredentials } from '../threats/credentials/redact-credentials.ts'
import { createScanner, endsImport, type ImportContext, type ImportScanner, invalidImport } from './import-context.ts'
import { admitEntry } from './judge-outside.ts'

/** Maximum bytes of the archive. */
const MAX_ARCHIVE_BYTES = 16_777_216

const nameOf = ({ id }: ArchivedEntry): string => `${id} of ${MEMORY_ARCHIVE_PATH}`

/** Refuses an entry that the store would refuse to restore. */
const check = async (entry: ArchivedEntry, scanner: ImportScanner): Promise<HermesError | undefined> => {
  const { id, target, text, redacted, reason = '', replacedBy = '' } = entry
  if (redacted) {
    if (text !== REDACTED) return invalidImport('It is marked as redacted but contains a text.')
  } else {
    if (id !== archivedEntryId(target, text)) return invalidImport('Its id does not match its text.')
    const prepared = prepareOps({ action: 'add', content: text })
    if (!prepared.ok) return prepared.error
  }
  return scanner.findThreat(`${text}\n${reason}\n${replacedBy}`, 'strict')
}

const toStored = (entry: ArchivedEntry, trusted: boolean): ArchivedEntry => {
  const { id, target, text, redacted, origin, firstSeenAt, lastConfirmedAt, forgottenAt, sessionId, reason, replacedBy } = entry
  return {
    id,
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
  }
}

/** The newest entry of each id. A line that is no archived entry is refused by its number. */
const entriesIn = (bytes: Uint8Array, refuse: (line: number) => void): readonly ArchivedEntry[] => {
  const found = new Map<string, ArchivedEntry>()
  for (const { text, number } of archiveLines(decodeArchive(bytes))) {
    const entry = parseArchived(text)
    if (entry) found.set(entry.id, entry)
    else refuse(number)
  }
  return [...found.values()]
}

const addArchived = ({ storage }: ImportContext, entries: readonly ArchivedEntry[]): Promise<Result<ReadonlySet<string>>> =>
  storage.update([MEMORY_ARCHIVE_PATH], (cut) => {
    const there = readArchive(cut.document(MEMORY_ARCHIVE_PATH)?.bytes)
    const added = entries.filter(({ id }) => !there.has(id))
    return {
      ...(added.length > 0 ? { append: { [MEMORY_ARCHIVE_PATH]: encodeArchived(added) } } : {}),
      value: new Set(added.map(({ id }) => id)),
    }
  })

/** Those to add; the others are counted. */
const admitAll = async (
  context: ImportContext,
  entries: readonly ArchivedEntry[],
  there: ReadonlyMap<string, ArchivedEntry>,
): Promise<Result<readonly ArchivedEntry[]>> => {
  const { tally, trusted } = context
  const scanner = createScanner()
  const admitted: ArchivedEntry[] = []
  for (const entry of entries) {
    const problem = await check(entry, scanner)
    if (problem) tally.refused('memoryArchive', nameOf(entry), problem)
    else if (there.has(entry.id)) tally.alreadyThere('memoryArchive')
    else {
      const may = entry.redacted ? ok(true) : await admitEntry('memoryArchive', nameOf(entry), entry, context)
      if (!may.ok) return may
      if (may.value) admitted.push(toStored(entry, trusted))
    }
  }
  return ok(admitted)
}

export const importMemoryArchive = async (context: ImportContext): Promise<Result<void>> => {
  const { contents, storage, tally } = context
  const bytes = contents.get(MEMORY_ARCHIVE_PATH)?.bytes
  if (!bytes) return ok(undefined)
  const refuse = (what: string, why: string) => tally.refused('memoryArchive', what, invalidImport(why))
  if (bytes.length > MAX_ARCHIVE_BYTES) {
    refuse(MEMORY_ARCHIVE_PATH, `It has more than ${MAX_ARCHIVE_BYTES} bytes.`)
    return ok(undefined)
  }
  const current = await readDocument(storage, MEMORY_ARCHIVE_PATH)
  if (!current.ok && endsImport(current.error)) return current
  if (!current.ok) {
    tally.refused('memoryArchive', MEMORY_ARCHIVE_PATH, current.error)
    return ok(undefined)
  }
  const there = await readArchiveInSlices(current.value?.bytes)
  const entries = entriesIn(bytes, (line) => refuse(`line ${line} of ${MEMORY_ARCHIVE_PATH}`, 'It is not an archived entry.'))
  const admitted = await admitAll(context, entries, there)
  if (!admitted.ok) return admitted
  const added = await addArchived(context, admitted.value)
  if (!added.ok && endsImport(added.error)) return added
  for (const entry of admitted.value) {
    if (!added.ok) tally.refused('memoryArchive', nameOf(entry), added.error)
    else if (added.value.has(entry.id)) tally.added('memoryArchive')
    else tally.alreadyThere('memoryArchive')
  }
  return ok(undefined)
}
