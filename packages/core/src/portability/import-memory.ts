/** Adds the entries of an export to the stores and to their archives. Each keeps its dates and at most its origin's authority. */

import { toMemoryRecords, toPinRecord } from '../journal/host-writes.ts'
import { timeOf } from '../memory/entry-time.ts'
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
import { type EntryFacts, type MemoryTarget, PERSON_TARGETS } from '../memory/memory-op.ts'
import { memoryPathsOf } from '../memory/memory-paths.ts'
import { MemoryStore } from '../memory/memory-store.ts'
import { prepareOps } from '../memory/plan-change.ts'
import { HermesError } from '../shared/hermes-error.ts'
import { pause } from '../shared/pause.ts'
import { err, ok, type Result } from '../shared/result.ts'
import { readDocument } from '../storage/one-document.ts'
import { projectsIn } from '../storage/project.ts'
import { REDACTED, redactCredentials } from '../threats/credentials/redact-credentials.ts'
import { isTime } from './export-manifest.ts'
import { admitEntry } from './held-items.ts'
import { endsImport, IMPORTED, type Import, invalidImport, must } from './import-context.ts'

/** Maximum bytes of MEMORY.md or USER.md. */
const MAX_MEMORY_FILE_BYTES = 1_048_576

/** Maximum entries of one store. */
const MAX_ENTRIES = 2_000

/** Maximum bytes of the archive. */
const MAX_ARCHIVE_BYTES = 16_777_216

const DID_NOT_FIT = 'It did not fit when an archive was imported.'

const tooLarge = (limit: string): HermesError =>
  new HermesError('over_limit', `It has more than ${limit}, so none of its entries were imported. Shorten it and export that home again.`)

const readEntries = (path: string, bytes: Uint8Array): readonly string[] => {
  if (bytes.length > MAX_MEMORY_FILE_BYTES) throw tooLarge(`${MAX_MEMORY_FILE_BYTES} bytes`)
  const { entries } = must(decodeMemoryDocument(path, bytes))
  if (entries.length > MAX_ENTRIES) throw tooLarge(`${MAX_ENTRIES} entries`)
  return entries
}

/** If the facts cannot be read, none of them is trusted. */
const readFacts = ({ contents }: Import, path: string): Result<Facts> => {
  const parsed = parseFacts(contents.get(path)?.bytes, path)
  if (!parsed.ok) return parsed
  const records = Object.values(parsed.value.facts).flatMap((each) => [...(each?.values() ?? [])])
  const areTimes = records.every(({ firstSeenAt, lastConfirmedAt }) => isTime(firstSeenAt) && isTime(lastConfirmedAt))
  return areTimes ? ok(parsed.value.facts) : err(new HermesError('unreadable', `'${path}' contains an invalid time.`))
}

/** `undefined` for an entry that was written by hand and so has no record. */
const toSource = ({ origin, firstSeenAt, lastConfirmedAt }: EntryFacts, trusted: boolean): RecordedSource | undefined => {
  if (!trusted) return { origin: 'tool', firstSeenAt, lastConfirmedAt }
  return origin === 'external' ? undefined : { origin, firstSeenAt, lastConfirmedAt }
}

/** With the limits of the home. With `hold`, an import never evicts an existing entry. */
const openStore = ({ home, over, writes, lines }: Import, project: string | undefined): MemoryStore =>
  new MemoryStore({
    ...home.options.memory,
    profile: home.options.profile,
    project,
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

interface StoreToFill {
  readonly target: MemoryTarget
  readonly project: string | undefined
}

/** An entry that does not fit goes to the archive. */
const archiveInstead = async (
  running: Import,
  { target, project }: StoreToFill,
  facts: EntryFacts,
  source: RecordedSource | undefined,
): Promise<void> => {
  const { tally, home } = running
  const { entry } = facts
  const record = source && {
    ...timeOf(facts),
    origin: source.origin,
    firstSeenAt: source.firstSeenAt ?? 0,
    lastConfirmedAt: source.lastConfirmedAt ?? 0,
  }
  const archived = toArchived({
    target,
    lost: [{ text: entry }],
    records: new Map(record ? [[entry, record]] : []),
    source: { origin: source?.origin ?? 'user', reason: DID_NOT_FIT },
    forgottenAt: home.clock(),
  })
  if ((await addArchived(running, memoryPathsOf(target, project).archive, archived)) === 0) return tally.alreadyThere('memory')
  tally.added('memory')
  tally.archivedInstead()
}

const importEntry = async (running: Import, store: MemoryStore, to: StoreToFill, facts: EntryFacts, name: string): Promise<void> => {
  const { target } = to
  const { tally, trusted } = running
  const { entry, pinned = false } = facts
  if (!(await admitEntry(running, 'memory', name, { ...to, text: entry, time: timeOf(facts) }))) return
  const source = toSource(facts, trusted)
  // Entries that do not fit are no failed attempts of a model.
  store.newTurn()
  const applied = await store.apply(target, { action: 'add', content: entry, ...timeOf(facts) }, source ?? { origin: 'external' })
  if (!applied.ok && applied.error.code === 'over_limit') return archiveInstead(running, to, facts, source)
  must(applied)
  tally.added('memory')
  // Only a trusted archive may pin an entry.
  if (pinned && trusted) must(await store.pin(target, entry))
}

/** The entries of one file. */
const importFile = async (running: Import, to: StoreToFill, known: Result<Facts>, bytes: Uint8Array): Promise<void> => {
  const { tally } = running
  const { target, project } = to
  const { file: path } = memoryPathsOf(target, project)
  const store = openStore(running, project)
  const entries = readEntries(path, bytes)
  const current = await store.current(target)
  if (!current.ok && endsImport(current.error)) throw current.error
  const there = new Set(current.ok ? current.value : [])
  for (const [index, facts] of factsOf(known, target, entries).entries()) {
    const name = `entry ${index + 1} of ${path}`
    if (there.has(facts.entry)) tally.alreadyThere('memory')
    else {
      await running.item('memory', name, () => importEntry(running, store, to, facts, name))
      await pause()
    }
  }
}

const importStores = async (running: Import, project: string | undefined): Promise<void> => {
  const targets: readonly MemoryTarget[] = project === undefined ? PERSON_TARGETS : ['project']
  const { facts } = memoryPathsOf(project === undefined ? 'memory' : 'project', project)
  const known = readFacts(running, facts)
  if (!known.ok) running.tally.refused('memory', facts, known.error)
  for (const target of targets) {
    const { file } = memoryPathsOf(target, project)
    const bytes = running.contents.get(file)?.bytes
    if (bytes) await running.item('memory', file, () => importFile(running, { target, project }, known, bytes))
  }
}

const projectsOf = ({ contents }: Import): readonly string[] => projectsIn([...contents.keys()].map((path) => ({ path })))

export const importMemory = async (running: Import): Promise<void> => {
  for (const project of [undefined, ...projectsOf(running)]) await importStores(running, project)
}

// The archive.

/** Refuses an entry that the store would refuse to restore. */
const check = async (running: Import, entry: ArchivedEntry, project: string | undefined): Promise<void> => {
  if ((entry.target === 'project') !== (project !== undefined)) throw invalidImport('It belongs to another store.')
  const { id, target, text, redacted, reason = '', replacedBy = '' } = entry
  if (redacted && text !== REDACTED) throw invalidImport('It is marked as redacted but contains a text.')
  if (!redacted) {
    if (id !== archivedEntryId(target, text)) throw invalidImport('Its id does not match its text.')
    must(prepareOps({ action: 'add', content: text }))
  }
  await running.refuseThreat(`${text}\n${reason}\n${replacedBy}`, 'strict')
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
    ...timeOf(entry),
    ...(sessionId === undefined ? {} : { sessionId: redactCredentials(sessionId) }),
    ...(reason === undefined ? {} : { reason: redactCredentials(reason) }),
    ...(replacedBy === undefined ? {} : { replacedBy: redactCredentials(replacedBy) }),
  }
}

/** Resolves to the number of entries that were not there. */
const addArchived = async ({ over }: Import, path: string, entries: readonly ArchivedEntry[]): Promise<number> =>
  must(
    await over.update([path], (cut) => {
      const there = readArchive(cut.document(path)?.bytes)
      const added = entries.filter(({ id }) => !there.has(id))
      return { ...(added.length > 0 ? { append: { [path]: encodeArchived(added) } } : {}), value: added.length }
    }),
  )

const importArchived = async (running: Import, project: string | undefined, path: string, bytes: Uint8Array): Promise<void> => {
  const { over, tally, trusted } = running
  if (bytes.length > MAX_ARCHIVE_BYTES) throw invalidImport(`It has more than ${MAX_ARCHIVE_BYTES} bytes.`)
  const there = await readArchiveInSlices(must(await readDocument(over, path))?.bytes)
  // The newest entry of each id.
  const entries = new Map<string, ArchivedEntry>()
  for (const { text, number } of archiveLines(decodeArchive(bytes)))
    await running.item('memoryArchive', `line ${number} of ${path}`, () => {
      const entry = parseArchived(text)
      if (!entry) throw invalidImport('It is not an archived entry.')
      entries.set(entry.id, entry)
    })
  const admitted: ArchivedEntry[] = []
  for (const entry of entries.values()) {
    const name = `${entry.id} of ${path}`
    await running.item('memoryArchive', name, async () => {
      await check(running, entry, project)
      if (there.has(entry.id)) return tally.alreadyThere('memoryArchive')
      if (entry.redacted || (await admitEntry(running, 'memoryArchive', name, { ...entry, project })))
        admitted.push(toStored(entry, trusted))
    })
  }
  await addArchived(running, path, admitted)
  tally.added('memoryArchive', admitted.length)
}

export const importMemoryArchive = async (running: Import): Promise<void> => {
  for (const project of [undefined, ...projectsOf(running)]) {
    const { archive } = memoryPathsOf(project === undefined ? 'memory' : 'project', project)
    const bytes = running.contents.get(archive)?.bytes
    if (bytes) await running.item('memoryArchive', archive, () => importArchived(running, project, archive, bytes))
  }
}
