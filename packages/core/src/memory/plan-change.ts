/** What a change would make of the entries: pure, so that it can run again on fresh bytes under the lock (reference hermes-memory 3). */
import type { HermesError } from '../shared/hermes-error.ts'
import { err, ok, type Result } from '../shared/result.ts'
import { createMemoryScan, type MemoryScan } from '../threats/scan.ts'
import { countCodePoints, countUsedChars } from './char-budget.ts'
import type { EvictedEntry } from './entry-facts.ts'
import { dedupeEntries, findUnstableEntry, locateEntry } from './entry-list.ts'
import { makeRoom, type Room } from './make-room.ts'
import type { MemoryOp, MemoryTarget } from './memory-op.ts'
import { blockedContent, foreignEntry, nothingMatches, overLimit, severalMatch, unstableEntry, wouldEmpty } from './memory-refusal.ts'
import type { PreparedOps } from './prepare-ops.ts'

export interface ChangeRequest extends PreparedOps {
  readonly target: MemoryTarget
  readonly charLimit: number
  /** What may give way where the change does not fit. Undefined: nothing, and then it is `over_limit`. */
  readonly room?: Room
  /** Of the store that the entries belong to. Default: a new one. */
  readonly scan?: MemoryScan
}

export interface PlannedChange {
  /** The entries afterwards. */
  readonly entries: readonly string[]
  /** Entries that a replace or remove took away, in the order of the operations. */
  readonly previous: readonly string[]
  /** What each replaced text was replaced by. */
  readonly replacements: ReadonlyMap<string, string>
  /** Entries that left the store to make room, the least valuable first. */
  readonly evicted: readonly EvictedEntry[]
  /** Texts of the operations that stand in the store afterwards, those that were there before included. */
  readonly confirmed: readonly string[]
  readonly added: number
  readonly replaced: number
  readonly removed: number
  /** False when every operation adds what is already there: then nothing is written. */
  readonly writes: boolean
}

interface Draft {
  readonly entries: string[]
  readonly previous: string[]
  readonly replacements: Map<string, string>
  readonly contents: string[]
  readonly done: { added: number; replaced: number; removed: number }
}

/** One operation on the draft; answers why it cannot be done. */
const draftOp = (draft: Draft, op: MemoryOp, { target, charLimit }: ChangeRequest): HermesError | undefined => {
  if (op.action !== 'remove') draft.contents.push(op.content)
  if (op.action === 'add') {
    if (draft.entries.includes(op.content)) return undefined
    draft.entries.push(op.content)
    draft.done.added++
    return undefined
  }
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

/** A larger entry than the whole limit is not ours; a single add cannot lose it, everything else could. */
const findForeignEntry = (entries: readonly string[], { batch, ops, target, charLimit }: ChangeRequest): HermesError | undefined => {
  const [first] = ops
  if (!batch && first?.ok && first.value.action === 'add') return undefined
  const sizes = entries.map(countCodePoints)
  const size = sizes.find((chars) => chars > charLimit)
  return size === undefined ? undefined : foreignEntry(target, size, charLimit)
}

const checkBudget = (
  before: readonly string[],
  after: readonly string[],
  { batch, ops, target, charLimit, room }: ChangeRequest,
): HermesError | undefined => {
  const [first] = ops
  if (!batch && first?.ok && first.value.action === 'remove') return undefined
  const wouldUse = countUsedChars(after)
  // A store that another program overfilled may shrink step by step.
  if (wouldUse <= charLimit || wouldUse < countUsedChars(before)) return undefined
  return overLimit(target, before, { wouldUse, charLimit, evicts: room !== undefined })
}

/** The entries that have to go so that the rest is within the limit. */
const findEvictions = (
  before: readonly string[],
  wanted: readonly string[],
  { contents, previous }: Draft,
  request: ChangeRequest,
): Result<readonly EvictedEntry[]> => {
  const overflow = checkBudget(before, wanted, request)
  if (!overflow) return ok([])
  const crowded = { entries: wanted, named: new Set(contents), previous, charLimit: request.charLimit }
  const evicted = request.room && makeRoom(crowded, request.room)
  return evicted ? ok(evicted) : err(overflow)
}

/** Each text was scanned alone; here for phrases spread over neighbours. What already lay on disk never blocks a change. */
const checkNeighbours = (after: readonly string[], written: ReadonlySet<string>, scan: MemoryScan): HermesError | undefined => {
  if (written.size === 0) return undefined
  const findings = scan.all(after)
  const mine = new Set(after.flatMap((entry, index) => (written.has(entry) ? (findings[index] ?? []) : [])))
  return mine.size > 0 ? blockedContent([...mine].sort(), true) : undefined
}

/** All or nothing; the limit and the emptiness rule look at the end state, duplicates made on the way collapse there. */
export const planChange = (before: readonly string[], request: ChangeRequest): Result<PlannedChange> => {
  const foreign = findForeignEntry(before, request)
  if (foreign) return err(foreign)
  const done = { added: 0, replaced: 0, removed: 0 }
  const draft: Draft = { entries: [...before], previous: [], replacements: new Map(), contents: [], done }
  for (const op of request.ops) {
    const problem = op.ok ? draftOp(draft, op.value, request) : op.error
    if (problem) return err(problem)
  }
  const wanted = dedupeEntries(draft.entries)
  const confirmed = dedupeEntries(draft.contents.filter((content) => wanted.includes(content)))
  const { previous, replacements } = draft
  const writes = done.added + done.replaced + done.removed > 0
  const change = { entries: wanted, previous, replacements, evicted: [], confirmed, ...done, writes }
  if (!writes) return ok(change)
  if (request.batch && before.length > 0 && wanted.length === 0) return err(wouldEmpty(request.target))
  const fitted = findEvictions(before, wanted, draft, request)
  if (!fitted.ok) return fitted
  const evicted = fitted.value
  const gone = new Set(evicted.map(({ text }) => text))
  const entries = wanted.filter((entry) => !gone.has(entry))
  const written = new Set(confirmed.filter((content) => !before.includes(content)))
  const unstable = written.size > 0 ? findUnstableEntry(entries) : undefined
  if (unstable !== undefined) return err(unstableEntry(request.target, unstable, written.has(unstable)))
  const blocked = checkNeighbours(entries, written, request.scan ?? createMemoryScan())
  return blocked ? err(blocked) : ok({ ...change, entries, evicted })
}
