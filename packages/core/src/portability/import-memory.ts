/** Adds the entries of an export to the two stores and to the memory archive. Each keeps its dates and at most its origin's authority. */
import { toMemoryRecords, toPinRecord } from '../journal/host-writes.ts'
import { type Facts, factsOf, parseFacts, type RecordedSource } from '../memory/facts.ts'
import {
  type ArchivedEntry,
  archivedEntryId,
  archiveLines,
  decodeArchive,
  encodeArchived,
  parseArchived,
  readArchive,
  readArchiveInSlices,
  toArchived,
} from '../memory/memory-archive.ts'
import { decodeMemoryDocument } from '../memory/memory-document.ts'
import type { EntryFacts } from '../memory/memory-op.ts'
import { MEMORY_TARGETS, type MemoryTarget } from '../memory/memory-op.ts'
import { MemoryStore } from '../memory/memory-store.ts'
import { prepareOps } from '../memory/plan-change.ts'
import { HermesError } from '../shared/hermes-error.ts'
import { pause } from '../shared/pause.ts'
import { err, ok, type Result } from '../shared/result.ts'
import { orError, readDocument } from '../storage/one-document.ts'
import { FACTS_PATH, MEMORY_ARCHIVE_PATH, MEMORY_PATHS } from '../storage/storage-paths.ts'
import { REDACTED, redactCredentials } from '../threats/credentials/redact-credentials.ts'
import { isTime } from './export-manifest.ts'
import { admitEntry } from './held-items.ts'
import { endsImport, IMPORTED, type Import, invalidImport } from './import-context.ts'

/** Maximum bytes of MEMORY.md or USER.md. */
const MAX_MEMORY_FILE_BYTES = 1_048_576

/** Maximum entries of one store. */
const MAX_ENTRIES = 2_000

/** Maximum bytes of the archive. */
const MAX_ARCHIVE_BYTES = 16_777_216

const DID_NOT_FIT = 'It did not fit when an archive was imported.'

const tooLarge = (limit: string): HermesError =>
  new HermesError('over_limit', `It has more than ${limit}, so none of its entries were imported. Shorten it and export that home again.`)

const readEntries = (target: MemoryTarget, bytes: Uint8Array): Result<readonly string[]> => {
  if (bytes.length > MAX_MEMORY_FILE_BYTES) return err(tooLarge(`${MAX_MEMORY_FILE_BYTES} bytes`))
  const document = decodeMemoryDocument(target, bytes)
  if (!document.ok) return document
  return document.value.entries.length > MAX_ENTRIES ? err(tooLarge(`${MAX_ENTRIES} entries`)) : ok(document.value.entries)
}

/** If the facts cannot be read, none of them is trusted. */
const readFacts = ({ contents }: Import): Result<Facts> => {
  const parsed = parseFacts(contents.get(FACTS_PATH)?.bytes)
  if (!parsed.ok) return parsed
  const records = Object.values(parsed.value.facts).flatMap((each) => [...each.values()])
  const areTimes = records.every(({ firstSeenAt, lastConfirmedAt }) => isTime(firstSeenAt) && isTime(lastConfirmedAt))
  return areTimes ? ok(parsed.value.facts) : err(new HermesError('unreadable', `'${FACTS_PATH}' contains an invalid time.`))
}

/** `undefined` for an entry that was written by hand and so has no record. */
const toSource = ({ origin, firstSeenAt, lastConfirmedAt }: EntryFacts, trusted: boolean): RecordedSource | undefined => {
  if (!trusted) return { origin: 'tool', firstSeenAt, lastConfirmedAt }
  return origin === 'external' ? undefined : { origin, firstSeenAt, lastConfirmedAt }
}

/** With the limits of the home. With `hold`, an import never evicts an existing entry. */
const openStore = ({ home, over, writes, lines }: Import): MemoryStore =>
  new MemoryStore({
    ...home.options.memory,
    whenFull: 'hold',
    storage: over,
    clock: home.clock,
    onFailure: (error) => home.failed(error, 'memory'),
    onWrite: async (write) => {
      writes.push(write)
      for (const record of toMemoryRecords(write, home.actor)) lines.push({ ...record, reason: IMPORTED })
    },
    onPin: async (pinned) => void lines.push({ ...toPinRecord(pinned, home.actor), reason: IMPORTED }),
  })

/** An entry that does not fit goes to the archive. */
const archiveInstead = async (
  running: Import,
  target: MemoryTarget,
  entry: string,
  source: RecordedSource | undefined,
): Promise<Result<void>> => {
  const record = source && { origin: source.origin, firstSeenAt: source.firstSeenAt ?? 0, lastConfirmedAt: source.lastConfirmedAt ?? 0 }
  const archived = toArchived({
    target,
    lost: [{ text: entry }],
    records: new Map(record ? [[entry, record]] : []),
    source: { origin: source?.origin ?? 'user', reason: DID_NOT_FIT },
    forgottenAt: running.home.clock(),
  })
  const added = await addArchived(running, archived)
  if (!added.ok) return added
  if (added.value.size > 0) {
    running.tally.added('memory')
    running.tally.archivedInstead()
  } else running.tally.alreadyThere('memory')
  return ok(undefined)
}

/** Fails only with an error that ends the import, or with that of the gate. */
const importEntry = async (
  running: Import,
  store: MemoryStore,
  target: MemoryTarget,
  facts: EntryFacts,
  name: string,
): Promise<Result<void>> => {
  const { tally, trusted } = running
  const { entry, pinned = false } = facts
  const admitted = await admitEntry(running, 'memory', name, { target, text: entry })
  if (!admitted.ok || !admitted.value) return admitted.ok ? ok(undefined) : admitted
  const source = toSource(facts, trusted)
  // Entries that do not fit are no failed attempts of a model.
  store.newTurn()
  const applied = await store.apply(target, { action: 'add', content: entry }, source ?? { origin: 'external' })
  if (!applied.ok && applied.error.code === 'over_limit') return archiveInstead(running, target, entry, source)
  // Only a trusted archive may pin an entry.
  const done = applied.ok && pinned && trusted ? await store.pin(target, entry) : applied
  if (applied.ok) tally.added('memory')
  if (done.ok) return ok(undefined)
  if (endsImport(done.error)) return done
  tally.refused('memory', name, done.error)
  return ok(undefined)
}

export const importMemory = async (running: Import): Promise<Result<void>> => {
  const { contents, tally } = running
  const store = openStore(running)
  const known = readFacts(running)
  if (!known.ok) tally.refused('memory', FACTS_PATH, known.error)
  for (const target of MEMORY_TARGETS) {
    const path = MEMORY_PATHS[target]
    const bytes = contents.get(path)?.bytes
    if (!bytes) continue
    const entries = readEntries(target, bytes)
    if (!entries.ok) {
      tally.refused('memory', path, entries.error)
      continue
    }
    const current = await store.current(target)
    if (!current.ok && endsImport(current.error)) return current
    const there = new Set(current.ok ? current.value : [])
    for (const [index, facts] of factsOf(known, target, entries.value).entries()) {
      if (there.has(facts.entry)) tally.alreadyThere('memory')
      else {
        const imported = await importEntry(running, store, target, facts, `entry ${index + 1} of ${path}`)
        if (!imported.ok) return imported
        await pause()
      }
    }
  }
  return ok(undefined)
}

// The archive.

const nameOf = ({ id }: ArchivedEntry): string => `${id} of ${MEMORY_ARCHIVE_PATH}`

/** Refuses an entry that the store would refuse to restore. */
const check = async (running: Import, entry: ArchivedEntry): Promise<HermesError | undefined> => {
  const { id, target, text, redacted, reason = '', replacedBy = '' } = entry
  if (redacted) {
    if (text !== REDACTED) return invalidImport('It is marked as redacted but contains a text.')
  } else {
    if (id !== archivedEntryId(target, text)) return invalidImport('Its id does not match its text.')
    const prepared = prepareOps({ action: 'add', content: text })
    if (!prepared.ok) return prepared.error
  }
  return running.findThreat(`${text}\n${reason}\n${replacedBy}`, 'strict')
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

/** Resolves to the ids of those that were not there. */
const addArchived = ({ over }: Import, entries: readonly ArchivedEntry[]): Promise<Result<ReadonlySet<string>>> =>
  orError(() =>
    over.update([MEMORY_ARCHIVE_PATH], (cut) => {
      const there = readArchive(cut.document(MEMORY_ARCHIVE_PATH)?.bytes)
      const added = entries.filter(({ id }) => !there.has(id))
      return {
        ...(added.length > 0 ? { append: { [MEMORY_ARCHIVE_PATH]: encodeArchived(added) } } : {}),
        value: new Set(added.map(({ id }) => id)),
      }
    }),
  )

export const importMemoryArchive = async (running: Import): Promise<Result<void>> => {
  const { contents, over, tally, trusted } = running
  const bytes = contents.get(MEMORY_ARCHIVE_PATH)?.bytes
  if (!bytes) return ok(undefined)
  const refuse = (name: string, error: HermesError): Result<void> => {
    tally.refused('memoryArchive', name, error)
    return ok(undefined)
  }
  if (bytes.length > MAX_ARCHIVE_BYTES) return refuse(MEMORY_ARCHIVE_PATH, invalidImport(`It has more than ${MAX_ARCHIVE_BYTES} bytes.`))
  const current = await readDocument(over, MEMORY_ARCHIVE_PATH)
  if (!current.ok) return endsImport(current.error) ? current : refuse(MEMORY_ARCHIVE_PATH, current.error)
  const there = await readArchiveInSlices(current.value?.bytes)
  // The newest entry of each id.
  const entries = new Map<string, ArchivedEntry>()
  for (const { text, number } of archiveLines(decodeArchive(bytes))) {
    const entry = parseArchived(text)
    if (entry) entries.set(entry.id, entry)
    else refuse(`line ${number} of ${MEMORY_ARCHIVE_PATH}`, invalidImport('It is not an archived entry.'))
  }
  const admitted: ArchivedEntry[] = []
  for (const entry of entries.values()) {
    const problem = await check(running, entry)
    if (problem) refuse(nameOf(entry), problem)
    else if (there.has(entry.id)) tally.alreadyThere('memoryArchive')
    else {
      const may = entry.redacted ? ok(true) : await admitEntry(running, 'memoryArchive', nameOf(entry), entry)
      if (!may.ok) return may
      if (may.value) admitted.push(toStored(entry, trusted))
    }
  }
  const added = await addArchived(running, admitted)
  if (!added.ok) return added
  tally.added('memoryArchive', admitted.length)
  return ok(undefined)
}
