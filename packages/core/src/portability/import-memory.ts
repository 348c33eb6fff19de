/** Adds the entries of an export to the two stores. Each keeps its dates and at most its origin's authority. */

import { type Facts, factsOf, parseFacts, type RecordedSource } from '../memory/facts.ts'
import { archivedEntryId, encodeArchived, readArchive, toArchived } from '../memory/memory-archive.ts'
import { decodeMemoryDocument } from '../memory/memory-document.ts'
import { type EntryFacts, MEMORY_TARGETS, type MemoryTarget } from '../memory/memory-op.ts'
import type { MemoryWrite } from '../memory/memory-store-options.ts'
import { HermesError } from '../shared/hermes-error.ts'
import { pause } from '../shared/pause.ts'
import { err, ok, type Result } from '../shared/result.ts'
import { inTransaction } from '../storage/in-transaction.ts'
import { FACTS_PATH, MEMORY_ARCHIVE_PATH, MEMORY_PATHS } from '../storage/storage-paths.ts'
import { endsImport, type ImportContext } from './import-context.ts'
import { admitEntry } from './judge-outside.ts'
import { isTime } from './newest-record.ts'

/** Maximum bytes of MEMORY.md or USER.md. */
const MAX_MEMORY_FILE_BYTES = 1_048_576

/** Maximum entries of one store. */
const MAX_ENTRIES = 2_000

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
const readFacts = ({ contents }: ImportContext): Result<Facts> => {
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

/** Returns true if the entry was added to the memory archive, false if it was there already. */
const archiveInstead = (
  { storage, clock }: ImportContext,
  target: MemoryTarget,
  entry: string,
  source: RecordedSource | undefined,
): Promise<Result<boolean>> => {
  const record = source && { origin: source.origin, firstSeenAt: source.firstSeenAt ?? 0, lastConfirmedAt: source.lastConfirmedAt ?? 0 }
  const added = toArchived({
    target,
    lost: [{ text: entry }],
    records: new Map(record ? [[entry, record]] : []),
    source: { origin: source?.origin ?? 'user', reason: DID_NOT_FIT },
    forgottenAt: clock(),
  })
  return storage.update([MEMORY_ARCHIVE_PATH], (cut) =>
    readArchive(cut.document(MEMORY_ARCHIVE_PATH)?.bytes).has(archivedEntryId(target, entry))
      ? { value: false }
      : { append: { [MEMORY_ARCHIVE_PATH]: encodeArchived(added) }, value: true },
  )
}

/** The entry, its pin and their lines in the journal, in one update. Resolves to the error of a pin that was refused. */
const addEntry = async (
  { storage, createMemoryStore, onMemoryWrite }: ImportContext,
  target: MemoryTarget,
  { entry, pinned }: EntryFacts,
  source: RecordedSource | undefined,
): Promise<Result<HermesError | undefined>> => {
  let writes: MemoryWrite[] = []
  const done = await inTransaction<HermesError | undefined>(storage, async (over) => {
    writes = []
    const store = createMemoryStore(over, async (write) => void writes.push(write))
    const applied = await store.apply(target, { action: 'add', content: entry }, source ?? { origin: 'external' })
    if (!applied.ok) return applied
    const set = pinned ? await store.pin(target, entry) : applied
    if (set.ok) return ok(undefined)
    return endsImport(set.error) ? set : ok(set.error)
  })
  if (done.ok) for (const write of writes) onMemoryWrite(write)
  return done
}

/** Fails only with an error that ends the import, or with that of the gate. */
const importEntry = async (context: ImportContext, target: MemoryTarget, facts: EntryFacts, name: string): Promise<Result<void>> => {
  const { tally, trusted } = context
  const admitted = await admitEntry('memory', name, { target, text: facts.entry }, context)
  if (!admitted.ok || !admitted.value) return admitted.ok ? ok(undefined) : admitted
  const source = toSource(facts, trusted)
  // Only a trusted archive may pin an entry.
  const { pinned: _, ...unpinned } = facts
  const applied = await addEntry(context, target, trusted ? facts : unpinned, source)
  if (applied.ok) {
    tally.added('memory')
    if (applied.value) tally.refused('memory', name, applied.value)
    return ok(undefined)
  }
  if (endsImport(applied.error)) return applied
  if (applied.error.code !== 'over_limit') {
    tally.refused('memory', name, applied.error)
    return ok(undefined)
  }
  const archived = await archiveInstead(context, target, facts.entry, source)
  if (!archived.ok) return archived
  if (archived.value) {
    tally.added('memory')
    tally.archivedInstead()
  } else tally.alreadyThere('memory')
  return ok(undefined)
}

export const importMemory = async (context: ImportContext): Promise<Result<void>> => {
  const { contents, tally, storage } = context
  const store = context.createMemoryStore(storage)
  const known = readFacts(context)
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
    for (const [index, facts] of factsOf(known, target, entries.value).entries()) {
      const current = await store.current(target)
      if (!current.ok && endsImport(current.error)) return current
      if (current.ok && current.value.includes(facts.entry)) {
        tally.alreadyThere('memory')
        continue
      }
      const imported = await importEntry(context, target, facts, `entry ${index + 1} of ${path}`)
      if (!imported.ok) return imported
      await pause()
    }
  }
  return ok(undefined)
}
