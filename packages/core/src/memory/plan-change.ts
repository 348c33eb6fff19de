/**
 * Prepares operations from callers, typed or not, and computes their effect on the entries. Pure, so that it can run again on fresh bytes under the lock
 * (reference hermes-memory 3).
 */
import { countCodePoints } from '../shared/code-points.ts'
import type { HermesError } from '../shared/hermes-error.ts'
import { err, ok, type Result } from '../shared/result.ts'
import { stripWhiteSpace } from '../shared/white-space.ts'
import { findNewCredentials } from '../threats/credentials/find-credentials.ts'
import { createMemoryScan, type MemoryScan } from '../threats/scan.ts'
import { timeFault, timeOf } from './entry-time.ts'
import { makeRoom, type Room } from './make-room.ts'
import { countUsedChars, dedupeEntries, findUnstableEntry, locateEntry, normaliseNewlines } from './memory-document.ts'
import { ENTRY_DELIMITER } from './memory-limits.ts'
import { type EntryTime, type EvictedEntry, MEMORY_ACTIONS, type MemoryOp, type MemoryTarget } from './memory-op.ts'
import {
  blockedContent,
  changedEntry,
  credentialInside,
  delimiterInside,
  emptyBatch,
  emptyContent,
  emptyOldText,
  foreignEntry,
  halfCharacter,
  notAnOperation,
  nothingMatches,
  notText,
  overLimit,
  severalMatch,
  unknownAction,
  unstableEntry,
  wouldEmpty,
} from './memory-refusal.ts'

export interface PreparedOps {
  /** True for a list, even of one operation: all or nothing, with stricter rules (reference hermes-memory 3). */
  readonly batch: boolean
  /** An invalid operation keeps its place, so that the first one determines the error. */
  readonly ops: readonly Result<MemoryOp>[]
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value)

const prepareText = (field: 'content' | 'oldText', value: unknown, action: MemoryOp['action']): Result<string> => {
  if (value !== undefined && value !== null && typeof value !== 'string') return err(notText(field))
  const text = stripWhiteSpace(normaliseNewlines(value ?? ''))
  if (text === '') return err(field === 'content' ? emptyContent(action) : emptyOldText())
  return /[\ud800-\udfff]/u.test(text) ? err(halfCharacter(field)) : ok(text)
}

const prepareOp = (input: unknown, today: (() => string) | undefined): Result<MemoryOp> => {
  if (!isObject(input)) return err(notAnOperation())
  const action = MEMORY_ACTIONS.find((name) => name === input['action'])
  if (!action) return err(unknownAction(input['action']))
  // Null and absent are the same.
  const time = { from: input['from'] ?? undefined, until: input['until'] ?? undefined }
  const fault = action === 'remove' ? undefined : timeFault(time, today)
  if (fault) return err(fault)
  const days = timeOf(time as EntryTime)
  if (action === 'add') {
    const content = prepareText('content', input['content'], action)
    return content.ok ? ok({ action, content: content.value, ...days }) : content
  }
  const oldText = prepareText('oldText', input['oldText'], action)
  if (!oldText.ok) return oldText
  if (action === 'remove') return ok({ action, oldText: oldText.value })
  const content = prepareText('content', input['content'], action)
  return content.ok ? ok({ action, oldText: oldText.value, content: content.value, ...days }) : content
}

/** Scans the prepared text, which is what will be stored. */
const checkContent = (op: MemoryOp, scan: MemoryScan): HermesError | undefined => {
  if (op.action === 'remove') return undefined
  if (op.content.includes(ENTRY_DELIMITER)) return delimiterInside()
  const kinds = findNewCredentials('', op.content)
  if (kinds) return credentialInside(kinds)
  const findings = scan.one(op.content)
  return findings.length > 0 ? blockedContent(findings) : undefined
}

/**
 * Refuses what can be judged without the store: an invalid single operation, an empty list, forbidden content. `scan`: the scan of the
 * store. `today`: as in `timeFault`.
 */
export const prepareOps = (input: unknown, scan: MemoryScan = createMemoryScan(), today?: () => string): Result<PreparedOps> => {
  const batch = Array.isArray(input)
  const ops = (batch ? input : [input]).map((each) => prepareOp(each, today))
  if (ops.length === 0) return err(emptyBatch())
  for (const op of ops) {
    const problem = op.ok ? checkContent(op.value, scan) : batch ? undefined : op.error
    if (problem) return err(problem)
  }
  return ok({ batch, ops })
}

export interface ChangeRequest extends PreparedOps {
  readonly target: MemoryTarget
  readonly charLimit: number
  /** The operations name whole entries; none changes an entry that merely contains a text. Default false. */
  readonly wholeEntries?: boolean
  /** What may be evicted if the change does not fit. Undefined: nothing; the change is then `over_limit`. */
  readonly room?: (() => Room) | undefined
  /** The scan of the store. Default: a new one. */
  readonly scan?: MemoryScan
}

export interface PlannedChange {
  readonly ops: readonly MemoryOp[]
  /** The entries afterwards. */
  readonly entries: readonly string[]
  /** Entries that replace and remove took away, in the order of the operations. */
  readonly previous: readonly string[]
  /** Maps each replaced text to its replacement. */
  readonly replacements: ReadonlyMap<string, string>
  /** Entries removed to make room, the least valuable first. */
  readonly evicted: readonly EvictedEntry[]
  /** Code points of the entries afterwards, delimiters included. */
  readonly usedChars: number
  /** Texts of the operations that are in the store afterwards, including those that were there before. */
  readonly confirmed: readonly string[]
  readonly added: number
  readonly replaced: number
  readonly removed: number
  /** False if every operation adds an existing entry: then nothing is written. */
  readonly writes: boolean
}

interface Draft {
  readonly entries: string[]
  readonly previous: string[]
  readonly replacements: Map<string, string>
  readonly contents: string[]
  readonly done: { added: number; replaced: number; removed: number }
}

/** Applies one operation to the draft; returns an error if impossible. */
const draftOp = (draft: Draft, op: MemoryOp, { target, charLimit, wholeEntries = false }: ChangeRequest): HermesError | undefined => {
  if (op.action !== 'remove') draft.contents.push(op.content)
  if (op.action === 'add') {
    if (draft.entries.includes(op.content)) return undefined
    draft.entries.push(op.content)
    draft.done.added++
    return undefined
  }
  if (wholeEntries && !draft.entries.includes(op.oldText)) return changedEntry(op.oldText)
  const location = locateEntry(draft.entries, op.oldText)
  if (location.kind === 'none') return nothingMatches(op.oldText, draft.entries, charLimit)
  if (location.kind === 'ambiguous') return severalMatch(target, op.oldText, location.matches)
  const replacement = op.action === 'replace' ? [op.content] : []
  const taken = draft.entries.splice(location.index, 1, ...replacement)
  draft.previous.push(...taken)
  for (const entry of taken) for (const content of replacement) draft.replacements.set(entry, content)
  draft.done[op.action === 'replace' ? 'replaced' : 'removed']++
  return undefined
}

/** An entry above the whole limit was written by another program; a single add cannot lose it, any other change could. */
const findForeignEntry = (entries: readonly string[], { batch, ops, target, charLimit }: ChangeRequest): HermesError | undefined => {
  const [first] = ops
  if (!batch && first?.ok && first.value.action === 'add') return undefined
  const sizes = entries.map(countCodePoints)
  const size = sizes.find((chars) => chars > charLimit)
  return size === undefined ? undefined : foreignEntry(target, size, charLimit)
}

/** The entries to evict so that the rest is within the limit. */
const findEvictions = (
  before: readonly string[],
  wanted: readonly string[],
  wouldUse: number,
  { contents, previous }: Draft,
  { target, charLimit, room }: ChangeRequest,
): Result<readonly EvictedEntry[]> => {
  // A store that another program overfilled may shrink step by step, as by any remove.
  if (wouldUse <= charLimit || wouldUse < countUsedChars(before)) return ok([])
  const evicted = room && makeRoom({ entries: wanted, named: new Set(contents), previous, charLimit }, room())
  if (evicted) return ok(evicted)
  const longest = contents.reduce((most, content) => Math.max(most, countCodePoints(content)), 0)
  return err(overLimit(target, before, { wouldUse, charLimit, longest, evicts: room !== undefined }))
}

/** Each text was scanned alone; this scan finds phrases spread over neighbours. Existing findings do not block a change. */
const checkNeighbours = (after: readonly string[], written: ReadonlySet<string>, scan: MemoryScan): HermesError | undefined => {
  if (written.size === 0) return undefined
  const mine = new Set(scan.some(after, written).flat())
  return mine.size > 0 ? blockedContent([...mine].sort(), true) : undefined
}

/** All or nothing. The limit and the rule against emptying apply to the final state, after duplicates are dropped. */
export const planChange = (before: readonly string[], request: ChangeRequest): Result<PlannedChange> => {
  const foreign = findForeignEntry(before, request)
  if (foreign) return err(foreign)
  const done = { added: 0, replaced: 0, removed: 0 }
  const draft: Draft = { entries: [...before], previous: [], replacements: new Map(), contents: [], done }
  const ops: MemoryOp[] = []
  for (const op of request.ops) {
    const problem = op.ok ? draftOp(draft, op.value, request) : op.error
    if (problem) return err(problem)
    if (op.ok) ops.push(op.value)
  }
  const wanted = dedupeEntries(draft.entries)
  const confirmed = dedupeEntries(draft.contents.filter((content) => wanted.includes(content)))
  const { previous, replacements } = draft
  const writes = done.added + done.replaced + done.removed > 0
  const wouldUse = countUsedChars(wanted)
  const change = { ops, entries: wanted, usedChars: wouldUse, previous, replacements, evicted: [], confirmed, ...done, writes }
  if (!writes) return ok(change)
  if (request.batch && before.length > 0 && wanted.length === 0) return err(wouldEmpty(request.target))
  const fitted = findEvictions(before, wanted, wouldUse, draft, request)
  if (!fitted.ok) return fitted
  const evicted = fitted.value
  const gone = new Set(evicted.map(({ text }) => text))
  const entries = wanted.filter((entry) => !gone.has(entry))
  const written = new Set(confirmed.filter((content) => !before.includes(content)))
  const unstable = written.size > 0 ? findUnstableEntry(entries) : undefined
  if (unstable !== undefined) return err(unstableEntry(request.target, unstable, written.has(unstable)))
  const blocked = checkNeighbours(entries, written, request.scan ?? createMemoryScan())
  return blocked ? err(blocked) : ok({ ...change, entries, evicted, usedChars: countUsedChars(entries) })
}
