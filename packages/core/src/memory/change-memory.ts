/** What a change of a store comes to, as one update: the file, the facts about its entries, the archive, a backup. Pure. */
import { equalBytes } from '../shared/equal-bytes.ts'
import { HermesError } from '../shared/hermes-error.ts'
import { err, ok } from '../shared/result.ts'
import type { Cut, DocumentInfo } from '../storage/storage-backend.ts'
import { nextFacts } from './change-facts.ts'
import { isSameTime, timeOf, timesOf } from './entry-time.ts'
import {
  type FactRecords,
  type FactsFile,
  factsOf,
  NO_FACTS,
  NO_RECORDS,
  type RecordedSource,
  type WriteMode,
  writeFacts,
} from './facts.ts'
import type { Room } from './make-room.ts'
import { findLost, type LostEntry } from './make-room.ts'
import { decodeArchive, encodeArchived, formerOriginIn, toArchived } from './memory-archive.ts'
import { documentIn, encodeMemoryDocument, type MemoryDocument } from './memory-document.ts'
import type { EntryDates, EntryOrigin, OpFacts } from './memory-op.ts'
import type { MemoryPaths } from './memory-paths.ts'
import { type ChangeRequest, type PlannedChange, planChange } from './plan-change.ts'
import { type ProfileRules, profileFault } from './profile-schema.ts'

// Copies of a memory file from before its white space is tidied or a change is refused: at most a few, without duplicates (DESIGN 3).

const MAX_BACKUPS = 5

interface Backup {
  readonly path: string
  /** Epoch seconds. */
  readonly second: number
  readonly serial: number
}

/** Newest first. */
export const backupsIn = (documents: readonly DocumentInfo[], { file }: Pick<MemoryPaths, 'file'>): readonly Backup[] => {
  const prefix = `${file}.bak.`
  const backups = documents.flatMap(({ path }): Backup[] => {
    const name = path.startsWith(prefix) ? /^(\d{1,15})(?:-(\d{1,9}))?$/.exec(path.slice(prefix.length)) : null
    return name ? [{ path, second: Number(name[1]), serial: Number(name[2] ?? 1) }] : []
  })
  return backups.sort((a, b) => b.second - a.second || b.serial - a.serial)
}

export interface DriftBackup {
  /** Of a copy with exactly these bytes; an identical one is used again. */
  readonly path: string
  /** The copy, and the removal of all but the newest 5 of the file. */
  readonly put: Readonly<Record<string, Uint8Array | null>>
}

/** `named`: paths of the backups that the cut holds. `at`: epoch milliseconds. */
export const planBackup = (
  cut: Cut,
  paths: Pick<MemoryPaths, 'file' | 'folder'>,
  bytes: Uint8Array,
  at: number,
  named: readonly string[],
): DriftBackup => {
  const backups = backupsIn(cut.list(paths.folder), paths)
  const identical = backups.find(({ path }) => {
    const document = named.includes(path) ? documentIn(cut, path) : undefined
    return document?.ok && document.value && equalBytes(document.value.bytes, bytes)
  })
  if (identical) return { path: identical.path, put: {} }
  const second = Math.floor(at / 1000)
  // Serials rise within a second, past pruned ones, so that names sort by time.
  const serial = (backups.find((backup) => backup.second === second)?.serial ?? 0) + 1
  const path = `${paths.file}.bak.${second}${serial === 1 ? '' : `-${serial}`}`
  const old = backups.slice(MAX_BACKUPS - 1).map((backup) => [backup.path, null] as const)
  return { path, put: { [path]: bytes, ...Object.fromEntries(old) } }
}

export interface MemoryChange extends ChangeRequest {
  readonly paths: MemoryPaths
  /** Archives in which an entry that comes back may be: that of its store first. */
  readonly archives: readonly string[]
  /** Less valuable entries are evicted for a change that does not fit. */
  readonly evicts: boolean
  readonly source: RecordedSource | undefined
  readonly mode?: WriteMode | undefined
  /** Epoch milliseconds. */
  readonly at: number
  /** As `holdsCredential`. */
  readonly isSecret: (text: string) => boolean
  /** For the profile: those of its schema, where it is known. */
  readonly rules?: ProfileRules | undefined
}

export interface WrittenChange extends PlannedChange {
  /** The entries before the change. */
  readonly before: readonly string[]
  readonly lost: readonly LostEntry[]
  /** Of the entries after the change. */
  readonly records: FactRecords
  /** In the order of the operations. */
  readonly facts: readonly OpFacts[]
  /** The origins that additions gave to entries that stood. */
  readonly raised: readonly EntryOrigin[]
  readonly backupPath?: string | undefined
}

export interface RefusedChange {
  readonly error: HermesError
  /** What the error is about, if it could be read. */
  readonly seen?: { readonly entries: readonly string[]; readonly records: FactRecords }
  /** True if the change was impossible; false if reading failed. */
  readonly planned: boolean
}

export type ChangePlan =
  /** The update has to name the backups of the file. */
  | { readonly kind: 'needs backups' }
  | { readonly kind: 'refused'; readonly refusal: RefusedChange; readonly put: DriftBackup['put'] }
  | {
      readonly kind: 'written'
      readonly change: WrittenChange
      readonly put: Readonly<Record<string, Uint8Array | null>>
      readonly append: Readonly<Record<string, Uint8Array>>
    }

/** Adds the path of the backup to the error. */
const withBackup = (error: HermesError, { path }: DriftBackup): HermesError =>
  new HermesError(error.code, `${error.message} A copy of the file is at '${path}'.`, {
    cause: error,
    details: { ...error.details, backupPath: path },
  })

/** Facts about the entries that each operation removed and wrote. */
const factsOfOps = (
  { ops, entries, previous }: PlannedChange,
  stood: ReadonlySet<string>,
  before: FactRecords,
  after: FactRecords,
): readonly OpFacts[] => {
  const taken = [...previous]
  const datesIn = (records: FactRecords, text: string): EntryDates => {
    const { origin, firstSeenAt, lastConfirmedAt } = records.get(text) ?? { origin: 'external', firstSeenAt: 0, lastConfirmedAt: 0 }
    return { origin, firstSeenAt, lastConfirmedAt, ...timeOf(records.get(text)) }
  }
  const pinOf = (text: string): Pick<EntryDates, 'pinned'> => (before.get(text)?.pinned ? { pinned: true } : {})
  return ops.map((op): OpFacts => {
    const content = op.action !== 'remove' && entries.includes(op.content) ? op.content : undefined
    const written = content === undefined ? undefined : datesIn(after, content)
    const former = content !== undefined && stood.has(content) ? datesIn(before, content) : undefined
    const isOther = former !== undefined && (former.origin !== written?.origin || !isSameTime(former, written))
    const previous = op.action !== 'add' ? taken.shift() : isOther ? content : undefined
    return {
      ...(previous === undefined ? {} : { previous: { ...datesIn(before, previous), ...pinOf(previous) } }),
      ...(written === undefined ? {} : { content: written }),
    }
  })
}

/** What may be evicted. The archive does not store secrets, so an entry that looks like one is not. */
const roomIn = (before: readonly string[], { target, source, isSecret }: MemoryChange, records: FactRecords): Room => {
  const kept = before.filter((entry) => !isSecret(entry))
  return { source, facts: new Map(factsOf(ok({ ...NO_FACTS, [target]: records }), target, kept).map((each) => [each.entry, each])) }
}

export interface MemoryFileNow {
  readonly bytes: Uint8Array | undefined
  readonly document: MemoryDocument
  readonly facts: FactsFile
}

/** `backups`: the paths that the cut holds of the file's backups; undefined if they were not named. */
export const planMemoryChange = (
  cut: Cut,
  change: MemoryChange,
  { bytes, document, facts }: MemoryFileNow,
  backups: readonly string[] | undefined,
): ChangePlan => {
  const { target, paths, source, mode, at } = change
  const { entries: before, hasCosmeticDrift } = document
  const records = facts.facts[target] ?? NO_RECORDS
  const room = change.evicts ? () => roomIn(before, change, records) : undefined
  const drafted = planChange(before, { ...change, room })
  const fault = drafted.ok && target === 'profile' ? profileFault(before, drafted.value, change.rules) : undefined
  const planned = fault ? err(fault) : drafted
  const isDrift = planned.ok ? planned.value.writes && hasCosmeticDrift : planned.error.code === 'drift'
  if (isDrift && bytes && !backups) return { kind: 'needs backups' }
  const backup = isDrift && bytes && backups ? planBackup(cut, paths, bytes, at, backups) : undefined
  if (!planned.ok) {
    const error = backup ? withBackup(planned.error, backup) : planned.error
    return {
      kind: 'refused',
      refusal: { error, planned: true, seen: { entries: before, records } },
      put: backup?.put ?? {},
    }
  }
  const { entries, confirmed, previous, replacements, writes } = planned.value
  const lost = findLost(before, planned.value)
  let archives: readonly string[] | undefined
  const wasOutside = (entry: string): boolean => {
    archives ??= change.archives.map((path) => decodeArchive(cut.document(path)?.bytes))
    return archives.some((archive) => formerOriginIn(archive, entry) === 'tool')
  }
  // A field of the profile is replaced, not forgotten.
  const times = timesOf(target === 'profile' ? [] : planned.value.ops)
  const next = nextFacts(records, { source, mode, at, before, after: entries, confirmed, previous, replacements, wasOutside, times })
  const written = writeFacts(facts, target, next)
  const archived = toArchived({ target, lost, records, source, forgottenAt: at })
  const content = encodeMemoryDocument(paths.file, entries)
  const opFacts = factsOfOps(planned.value, new Set(before), records, next)
  const raised = opFacts.flatMap(({ previous, content }, index) => {
    return planned.value.ops[index]?.action === 'add' && previous && content && previous.origin !== content.origin ? [content.origin] : []
  })
  const isSame = !writes || (bytes !== undefined && equalBytes(bytes, content))
  return {
    kind: 'written',
    change: {
      ...planned.value,
      before,
      lost,
      records: next,
      facts: opFacts,
      raised,
      backupPath: backup?.path,
    },
    put: {
      ...backup?.put,
      ...(isSame ? {} : { [paths.file]: content }),
      ...(written.put ? { [paths.facts]: written.put } : {}),
    },
    append: {
      ...(written.append ? { [paths.facts]: written.append } : {}),
      ...(archived.length > 0 ? { [paths.archive]: encodeArchived(archived) } : {}),
    },
  }
}
