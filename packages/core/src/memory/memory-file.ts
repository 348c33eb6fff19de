/** Reads a memory file and writes a planned change, only if the bytes are still those it was planned for. */

import type { Clock } from '../shared/clock.ts'
import { equalBytes } from '../shared/equal-bytes.ts'
import { HermesError } from '../shared/hermes-error.ts'
import { withLate } from '../shared/load-late.ts'
import { pause } from '../shared/pause.ts'
import { err, ok, type Result } from '../shared/result.ts'
import { readDocument, UNCHANGED, updateDocument } from '../storage/one-document.ts'
import type { StorageBackend, StoredDocument } from '../storage/storage-backend.ts'
import { MEMORY_PATHS } from '../storage/storage-paths.ts'
import { holdsCredential } from '../threats/credentials/find-credentials.ts'
import { findLost, type LostEntry } from './archive/lost-entries.ts'
import { keepDriftBackup } from './drift-backup.ts'
import type { EntryFacts, EvictedEntry, OpFacts } from './entry-facts.ts'
import type { Fingerprints } from './fingerprints.ts'
import type { Room } from './make-room.ts'
import { AT_ONCE_BYTES, decodeMemoryDocument, encodeMemoryDocument, type MemoryDocument } from './memory-document.ts'
import type { MemoryOp, MemoryTarget } from './memory-op.ts'
import { type ChangeRequest, type PlannedChange, planChange } from './plan-change.ts'
import type { ProvenanceFile, RecordedSource } from './provenance.ts'
import { type LastProvenance, lookUpFacts, readProvenance, recentProvenance } from './provenance-store.ts'
import { recordChange } from './record-change.ts'
import { withSpareEvictions } from './spare-evictions.ts'

const texts = (text: string | undefined): readonly string[] => (text === undefined ? [] : [text])

/** Facts about the entries that each operation removed and wrote. `provenance`: after the change. */
const describeOpFacts = async (
  target: MemoryTarget,
  ops: readonly Result<MemoryOp>[],
  { entries, previous }: PlannedChange,
  provenance: ProvenanceFile | undefined,
  fingerprints?: Fingerprints,
): Promise<readonly OpFacts[]> => {
  const taken = [...previous]
  const touched = ops.flatMap((op) => {
    if (!op.ok) return []
    const content = op.value.action === 'remove' || !entries.includes(op.value.content) ? undefined : op.value.content
    return [{ previous: op.value.action === 'add' ? undefined : taken.shift(), content }]
  })
  const known = await lookUpFacts(
    ok(provenance),
    target,
    touched.flatMap((op) => [...texts(op.previous), ...texts(op.content)]),
    fingerprints,
  )
  const byEntry = new Map(known.map(({ entry, pinned: _, ...dates }) => [entry, dates]))
  return touched.map((op) => {
    const [before, after] = [op.previous, op.content].map((text) => (text === undefined ? undefined : byEntry.get(text)))
    return { ...(before ? { previous: before } : {}), ...(after ? { content: after } : {}) }
  })
}

// An attempt fails only if another writer changed the file in between. The waits grow, to about three seconds in all, so that a burst of
// other writes does not exhaust the attempts.
const MAX_ATTEMPTS = 20
const MAX_WAIT_MS = 250

export interface MemoryFileEffects {
  readonly storage: StorageBackend
  readonly clock: Clock
  readonly onFailure: (error: HermesError) => void
  readonly fingerprints?: Fingerprints
  /** Default: `holdsCredential`. */
  readonly isSecret?: (text: string) => boolean
  readonly lastProvenance?: LastProvenance
}

export interface MemoryFileRequest extends ChangeRequest {
  /** Less valuable entries are evicted for a change that does not fit. */
  readonly evicts: boolean
}

export interface MemoryFile extends MemoryDocument {
  /** `undefined` if there is no file. */
  readonly bytes: Uint8Array | undefined
}

export interface WrittenChange extends PlannedChange {
  /** The entries before the change. */
  readonly before: readonly string[]
  readonly lost: readonly LostEntry[]
  readonly provenance: ProvenanceFile | undefined
  /** In the order of the operations. */
  readonly facts: readonly OpFacts[]
  readonly backupPath?: string | undefined
}

export interface RefusedChange {
  readonly error: HermesError
  /** The entries that the error is about, if they could be read. */
  readonly entries?: readonly string[]
  /** True if the plan was impossible; false if reading or writing failed. */
  readonly planned: boolean
}

const toFile = (document: Result<MemoryDocument>, stored: StoredDocument | undefined): Result<MemoryFile> =>
  document.ok ? ok({ ...document.value, bytes: stored?.bytes }) : document

const decode = async (target: MemoryTarget, bytes: Uint8Array | undefined): Promise<Result<MemoryDocument>> =>
  bytes && bytes.length > AT_ONCE_BYTES
    ? withLate(
        'The code that reads large files',
        () => import('./large-document.ts'),
        ({ decodeInSlices }) => decodeInSlices(target, bytes),
      )
    : decodeMemoryDocument(target, bytes)

/** `unreadable` if the file is not text, or if the storage cannot read it. */
export const readMemoryFile = async (storage: StorageBackend, target: MemoryTarget): Promise<Result<MemoryFile>> => {
  const stored = await readDocument(storage, MEMORY_PATHS[target])
  if (stored.ok) return toFile(await decode(target, stored.value?.bytes), stored.value)
  if (stored.error.code !== 'io' && stored.error.code !== 'unwritable') return stored
  const path = MEMORY_PATHS[target]
  const message = `'${path}' cannot be read: ${stored.error.message}`
  return err(new HermesError('unreadable', message, { cause: stored.error, details: { path } }))
}

/** Both lists have an entry for each replace and remove of one request, so they have the same length. */
const sameTexts = (a: readonly string[], b: readonly string[]): boolean => a.every((text, index) => text === b[index])

const areAllIn = (kept: readonly LostEntry[], lost: readonly LostEntry[]): boolean => {
  const texts = new Set(kept.map(({ text }) => text))
  return lost.every(({ text }) => texts.has(text))
}

/** Adds the path of the backup to the error, if a backup was made. */
const withBackup = (error: HermesError, backup: Result<string>): HermesError =>
  backup.ok
    ? new HermesError(error.code, `${error.message} A copy of the file is at '${backup.value}'.`, {
        details: { ...error.details, backupPath: backup.value },
      })
    : new HermesError(error.code, `${error.message} No copy of the file could be made: ${backup.error.message}`, {
        cause: backup.error,
        details: error.details,
      })

const factsByEntry = (facts: readonly EntryFacts[]): ReadonlyMap<string, EntryFacts> => new Map(facts.map((each) => [each.entry, each]))

/** What may be evicted for the request; the origins of the entries are read. */
const findRoom = async (
  { storage, fingerprints, isSecret = holdsCredential, lastProvenance }: MemoryFileEffects,
  before: readonly string[],
  target: MemoryTarget,
  source: RecordedSource | undefined,
): Promise<Result<{ readonly room: Room; readonly provenance: ProvenanceFile | undefined }>> => {
  const provenance = await readProvenance(storage, lastProvenance)
  if (!provenance.ok) return provenance
  // The archive does not store secrets, so an entry that looks like one is not evicted.
  const kept = before.filter((entry) => !isSecret(entry))
  const facts = factsByEntry(await lookUpFacts(provenance, target, kept, fingerprints))
  return ok({ room: { source, facts }, provenance: provenance.value })
}

/** Whether evicted entries were pinned, or became the user's, since the change was planned. */
const haveRisen = async (
  { storage, fingerprints, lastProvenance }: MemoryFileEffects,
  target: MemoryTarget,
  evicted: readonly EvictedEntry[],
): Promise<boolean> => {
  const texts = evicted.map(({ text }) => text)
  const facts = factsByEntry(await lookUpFacts(await readProvenance(storage, lastProvenance), target, texts, fingerprints))
  return evicted.some(({ text, origin }) => facts.get(text)?.pinned === true || facts.get(text)?.origin !== origin)
}

type Attempt =
  | { readonly kind: 'again' }
  | { readonly kind: 'refused'; readonly refusal: RefusedChange }
  | { readonly kind: 'written'; readonly change: WrittenChange }

const refused = (error: HermesError, planned: boolean, entries?: readonly string[]): Attempt => ({
  kind: 'refused',
  refusal: entries ? { error, planned, entries } : { error, planned },
})

const attemptChange = async (
  effects: MemoryFileEffects,
  asked: MemoryFileRequest,
  source: RecordedSource | undefined,
  attempts: number,
): Promise<Attempt> => {
  const { storage, clock, onFailure, fingerprints, lastProvenance } = effects
  const { target } = asked
  // Removing entries requires their origins; those that another writer has changed meanwhile are read again before the write.
  const takes = asked.ops.some((op) => op.ok && op.value.action !== 'add')
  const [file, known] = await Promise.all([readMemoryFile(storage, target), takes ? recentProvenance(storage, lastProvenance) : undefined])
  if (!file.ok) return refused(file.error, false)
  const { bytes, entries: before, hasCosmeticDrift } = file.value
  const keepBackup = (of: Uint8Array) => keepDriftBackup(storage, target, of, clock, onFailure)

  const plain = planChange(before, asked)
  const isCrowded = asked.evicts && !plain.ok && plain.error.code === 'over_limit'
  const found = isCrowded ? await findRoom(effects, before, target, source) : undefined
  if (found && !found.ok) return refused(found.error, false, before)
  const request = found ? { ...asked, room: found.value.room } : asked
  const planned = isCrowded ? planChange(before, request) : plain
  if (!planned.ok) {
    const error = planned.error.code === 'drift' && bytes ? withBackup(planned.error, await keepBackup(bytes)) : planned.error
    return refused(error, true, before)
  }
  const backup = planned.value.writes && hasCosmeticDrift && bytes ? await keepBackup(bytes) : undefined
  if (backup && !backup.ok) return refused(backup.error, false, before)
  const lost = findLost(before, planned.value)
  // Others have evicted entries meanwhile, and may do so again.
  const crowded = withSpareEvictions(before, request, planned.value, attempts)
  const copied = crowded === planned.value ? lost : findLost(before, crowded)
  const write = { target, before, planned: planned.value, source, fingerprints, lastProvenance }
  const recorded = await recordChange(storage, clock, { ...write, lost: copied, known: found ? ok(found.value.provenance) : known })
  if (!recorded.ok) return refused(recorded.error, false, before)
  const facts = await describeOpFacts(target, request.ops, planned.value, recorded.value, fingerprints)
  const written = { provenance: recorded.value, facts, backupPath: backup?.value }
  if (!planned.value.writes) return { kind: 'written', change: { ...planned.value, ...written, before, lost } }

  if (crowded.evicted.length > 0 && (await haveRisen(effects, target, crowded.evicted))) return { kind: 'again' }

  let attempt: Attempt = { kind: 'again' }
  const updated = await updateDocument(storage, MEMORY_PATHS[target], (current) => {
    attempt = { kind: 'again' }
    // Another writer changed the file. The plan starts again from its bytes, unless backup, provenance or archive were made for other
    // entries.
    const untouched = current && bytes ? equalBytes(current.bytes, bytes) : current === bytes
    const fresh = untouched ? file : toFile(decodeMemoryDocument(target, current?.bytes), current)
    if (!fresh.ok) return UNCHANGED
    const plan = untouched ? planned : planChange(fresh.value.entries, request)
    if (!plan.ok || !plan.value.writes || !sameTexts(plan.value.previous, planned.value.previous)) return UNCHANGED
    const gone = untouched ? lost : findLost(fresh.value.entries, plan.value)
    if (!untouched && (fresh.value.hasCosmeticDrift || !areAllIn(copied, gone))) return UNCHANGED
    attempt = { kind: 'written', change: { ...plan.value, ...written, before: fresh.value.entries, lost: gone } }
    const next = encodeMemoryDocument(plan.value.entries)
    return current && equalBytes(current.bytes, next) ? UNCHANGED : next
  })
  return updated.ok ? attempt : refused(updated.error, false, before)
}

/**
 * Reads, plans, stores backup, provenance and archived entries as needed, then writes; starts again if another writer changed the file.
 */
export const changeMemoryFile = async (
  effects: MemoryFileEffects,
  request: MemoryFileRequest,
  source: RecordedSource | undefined,
): Promise<Result<WrittenChange, RefusedChange>> => {
  for (let attempts = 0; attempts < MAX_ATTEMPTS; attempts++) {
    const attempt = await attemptChange(effects, request, source, attempts)
    if (attempt.kind === 'written') return ok(attempt.change)
    if (attempt.kind === 'refused') return err(attempt.refusal)
    await pause(Math.min(2 ** attempts, MAX_WAIT_MS))
  }
  const message = `'${MEMORY_PATHS[request.target]}' kept changing while it was written to. Nothing was changed; retry in a moment.`
  return err({ error: new HermesError('locked', message), planned: false })
}
