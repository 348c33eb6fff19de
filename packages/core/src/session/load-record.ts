/** Loads a session's record, or starts one with newly frozen text. */
import { hydrateCount, type TurnCounts } from '../nudge/nudge-intervals.ts'
import { DOCUMENT_LIMITS } from '../shared/bounded-json.ts'
import { HermesError } from '../shared/hermes-error.ts'
import { ok, type Result } from '../shared/result.ts'
import { jsonBytesWithin } from '../storage/json-bytes.ts'
import { orError } from '../storage/one-document.ts'
import type { Cut } from '../storage/storage-backend.ts'
import type { BlockView, TextToKeep } from './block-view.ts'
import type { FrozenText } from './freeze-block.ts'
import type { CountingHome } from './home-counts.ts'
import type { SessionCheckpoint } from './session.ts'
import type { SessionHome } from './session-home.ts'
import { type BlockTerms, newSessionRecord, type SessionRecord, sessionPath, unreadableCopy } from './session-record.ts'
import { withinLimit } from './within-limit.ts'

/** The terms are those of a session that begins here. */
export interface RecordToLoad extends BlockTerms {
  readonly id: string
  /** Used if the storage has no record: its text, if any, stays frozen, and its counts continue. */
  readonly checkpoint?: SessionCheckpoint | undefined
  /** Where the text may be found without rendering it. */
  readonly view?: BlockView
  /** Reads the stores, as far as the cut does not have them, and renders the text to freeze. */
  readonly freeze: (cut: Cut | undefined) => Promise<Pick<FrozenText, 'text' | 'isStorable' | 'oldAt'>>
}

export interface LoadedRecord {
  readonly loaded: SessionRecord
  /** Started here, not found in the storage. */
  readonly isOurs: boolean
  /** Known to be in the storage. */
  readonly isWritten: boolean
  /** Counts of the checkpoint from which the session was started here, that were reviewed already. */
  readonly reviewed?: TurnCounts | undefined
  /** A text that the next session may take. */
  readonly toKeep?: TextToKeep
  /** Why the record could not be read. An invalid record was moved aside, and a new one begins. */
  readonly problem?: HermesError
}

const reviewedBefore = ({ userTurns, toolIterations }: SessionCheckpoint, { intervals }: SessionHome['options']): TurnCounts => ({
  turns: userTurns - hydrateCount(userTurns, intervals.memoryInterval),
  iterations: toolIterations - hydrateCount(toolIterations, intervals.skillInterval),
})

/** A new record, or one that continues the framework's checkpoint. */
const beginRecord = ({ clock }: CountingHome, { id, checkpoint, ...terms }: RecordToLoad, text: string): SessionRecord => {
  if (checkpoint === undefined) return newSessionRecord(id, text, clock(), terms)
  const { userTurns, toolIterations } = checkpoint
  const isFrozenAnew = checkpoint.block === undefined && userTurns > 0
  return {
    ...newSessionRecord(id, text, clock(), terms),
    userTurns,
    iterations: toolIterations,
    ...(isFrozenAnew ? { changed: { times: 1, at: clock(), turns: userTurns } } : {}),
  }
}

/** What reads and checks records that are there already. */
const loadRecords = () => import('./stored-record.ts')

/**
 * The record as stored after one update: if another process created the session first, its text is used. `undefined` if the storage does not answer in time. Other
 * processes have to see the write, but a power cut may take it back: the text is then frozen anew. The save behind the first turn is durable.
 */
const claimRecord = async ({ storage, options }: CountingHome, begun: SessionRecord) => {
  const path = sessionPath(begun.id)
  const plan = (cut: Cut) => {
    if (cut.document(path)) return { value: false }
    return { put: { [path]: jsonBytesWithin(path, begun, DOCUMENT_LIMITS) }, value: true }
  }
  const claim = async (): Promise<Result<{ readonly record: SessionRecord; readonly isOurs: boolean }>> => {
    const claimed = await orError(() => storage.update([path], plan, { durable: false, claim: true }))
    if (!claimed.ok) return claimed
    if (claimed.value) return ok({ record: begun, isOurs: true })
    const found = await (await loadRecords()).readRecord(storage, path)
    return found.ok ? ok({ record: found.value ?? begun, isOurs: found.value === undefined }) : found
  }
  return withinLimit(claim(), Math.ceil(options.loadTimeoutMs / 4))
}

const notRead = ({ cause, details }: HermesError, path: string, copy: string, moved: Result<unknown> | undefined): HermesError => {
  const failure = moved?.ok === false ? `: ${moved.error.message}` : '.'
  const what = moved?.ok
    ? `It was moved to '${copy}', and the session starts again.`
    : `It could not be moved out of the way, so nothing of this session is saved${failure}`
  const why = String(details['why'] ?? 'cannot be read')
  return new HermesError('unreadable', `The record of the session, '${path}', ${why}. ${what}`, { cause, details })
}

/** Reads what a start needs in one cut. Without an answer in time, which some part of it may cause, the record is read alone. */
const lookFor = async ({ storage, options }: CountingHome, path: string, view: BlockView | undefined) => {
  const all = view && (await withinLimit(storage.read([path, ...view.paths]), Math.ceil(options.loadTimeoutMs / 8)))
  const cut = all?.ok ? all.value : undefined
  if (cut && (await isMissing(cut, path))) return { found: ok(undefined), cut }
  const { recordIn, readRecord } = await loadRecords()
  return { found: cut ? await recordIn(cut, path) : await readRecord(storage, path), cut }
}

const isMissing = async (cut: Cut, path: string): Promise<boolean> => {
  const document = await orError(async () => ok(cut.document(path)))
  return document.ok && document.value === undefined
}

export const loadRecord = async (home: CountingHome, wanted: RecordToLoad): Promise<LoadedRecord> => {
  const { id, checkpoint } = wanted
  const path = sessionPath(id)
  const view = checkpoint?.block === undefined ? wanted.view : undefined
  const { found, cut } = await lookFor(home, path, view)
  if (found.ok && found.value) return { loaded: found.value, isOurs: false, isWritten: true }
  const isBroken = !found.ok && found.error.code === 'unreadable'
  const stored = checkpoint?.block ?? (cut && (await view?.find(cut)))
  const frozen =
    stored === undefined ? await wanted.freeze(view?.namesSources ? cut : undefined) : { text: stored, isStorable: false, oldAt: undefined }
  const begun = beginRecord(home, wanted, frozen.text)
  // What was said before is unknown, so it counts as text from outside, for later processes too.
  const lost = { tainted: true, ...(wanted.project === undefined ? { isOfUnknownProject: true as const } : {}) }
  const first = found.ok ? begun : { ...begun, ...lost }
  const reviewed = checkpoint && reviewedBefore(checkpoint, home.options)
  const copy = unreadableCopy(path, home.clock())
  // If the storage cannot even be read, do not wait for a write. What follows a broken record must not be lost: it says that text from outside was in sight.
  const isPlain = found.ok && (reviewed === undefined || first.userTurns === 0)
  const create = async () =>
    isPlain ? claimRecord(home, first) : (await loadRecords()).createRecord(home, first, { reviewed, ...(isBroken ? { copy } : {}) })
  const created = found.ok || isBroken ? await create() : undefined
  const settled = created?.ok ? created.value : undefined
  const isOurs = settled?.isOurs !== false
  const loaded = settled?.record ?? first
  return {
    loaded: found.ok ? loaded : { ...loaded, tainted: true },
    isOurs,
    isWritten: settled !== undefined,
    reviewed: isOurs ? reviewed : undefined,
    ...(frozen.isStorable ? { toKeep: frozen } : {}),
    ...(found.ok ? {} : { problem: isBroken ? notRead(found.error, path, copy, created) : found.error }),
  }
}
