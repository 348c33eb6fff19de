/** Loads a session's record, or starts one with newly frozen text. */
import { hydrateCount, type TurnCounts } from '../nudge/review-state.ts'
import { HermesError } from '../shared/hermes-error.ts'
import type { Result } from '../shared/result.ts'
import { jsonBytes, jsonIn, readableJsonIn, readJsonDocument } from '../storage/json-document.ts'
import { orError } from '../storage/one-document.ts'
import type { Cut } from '../storage/storage-backend.ts'
import type { SessionCheckpoint } from './session.ts'
import type { SessionHome } from './session-home.ts'
import { countsOf, newSessionRecord, type SessionRecord, sessionPath, sessionRecordSchema, unreadableCopy } from './session-record.ts'
import { withinLimit } from './within-limit.ts'

export interface RecordToLoad {
  readonly id: string
  /** Used if the storage has no record: its text, if any, stays frozen, and its counts continue. */
  readonly checkpoint?: SessionCheckpoint | undefined
  /** The id was made up for this session, so a record is unlikely: the text is read while the record is looked for. */
  readonly isNew?: boolean | undefined
  /** Reads the stores and renders the text to freeze. */
  readonly freeze: () => Promise<string>
}

export interface LoadedRecord {
  readonly loaded: SessionRecord
  /** Started here, not found in the storage. */
  readonly isOurs: boolean
  /** Known to be in the storage. */
  readonly isWritten: boolean
  /** Counts of the checkpoint from which the session was started here, that were reviewed already. */
  readonly reviewed?: TurnCounts | undefined
  /** Why the record could not be read. An invalid record was moved aside, and a new one begins. */
  readonly problem?: HermesError
}

type LoadingHome = Pick<SessionHome, 'storage' | 'clock' | 'options' | 'counts'>

const reviewedBefore = ({ userTurns, toolIterations }: SessionCheckpoint, { intervals }: SessionHome['options']): TurnCounts => ({
  turns: userTurns - hydrateCount(userTurns, intervals.memoryInterval),
  iterations: toolIterations - hydrateCount(toolIterations, intervals.skillInterval),
})

/** A new record, or one that continues the framework's checkpoint. */
const beginRecord = async ({ clock }: LoadingHome, { id, checkpoint, freeze }: RecordToLoad): Promise<SessionRecord> => {
  if (checkpoint === undefined) return newSessionRecord(id, await freeze(), clock())
  const { userTurns, toolIterations } = checkpoint
  const isFrozenAnew = checkpoint.block === undefined && userTurns > 0
  return {
    ...newSessionRecord(id, checkpoint.block ?? (await freeze()), clock()),
    userTurns,
    iterations: toolIterations,
    ...(isFrozenAnew ? { changed: { times: 1, at: clock(), turns: userTurns } } : {}),
  }
}

/**
 * The record as stored after one update: if another process created the session first, its text is used; a broken record is moved to `copy`. `undefined` if the
 * storage does not answer in time. Other processes have to see the write, but unless something depends on it, a power cut may take it back: the text is then
 * frozen anew. The save behind the first turn is durable.
 */
const createRecord = async (
  home: LoadingHome,
  begun: SessionRecord,
  { copy, reviewed }: { readonly copy?: string; readonly reviewed: TurnCounts | undefined },
) => {
  const { storage, counts, options } = home
  const path = sessionPath(begun.id)
  const plan = (cut: Cut) => {
    const found = copy === undefined ? jsonIn(cut, path, sessionRecordSchema) : readableJsonIn(cut, path, sessionRecordSchema)
    if (found) return { value: { record: found, isOurs: false } }
    const broken = copy === undefined ? undefined : cut.document(path)
    const put = { [path]: jsonBytes(path, begun, sessionRecordSchema), ...(copy !== undefined && broken ? { [copy]: broken } : {}) }
    return { put, value: { record: begun, isOurs: true } }
  }
  const paths = [path, ...(copy === undefined ? [] : [copy])]
  const isCounted = reviewed !== undefined && begun.userTurns > 0
  const written = isCounted
    ? counts.update(paths, (state, cut) => {
        const planned = plan(cut)
        return planned.value.isOurs
          ? { ...planned, state: counts.askAfterTurn(state, { ...countsOf(begun), reviewed }, 0, begun.createdAt).state }
          : planned
      })
    : orError(() => storage.update(paths, plan, { durable: copy !== undefined }))
  return withinLimit(written, Math.ceil(options.loadTimeoutMs / 4))
}

const notRead = ({ cause, details }: HermesError, path: string, copy: string, moved: Result<unknown> | undefined): HermesError => {
  const failure = moved?.ok === false ? `: ${moved.error.message}` : '.'
  const what = moved?.ok
    ? `It was moved to '${copy}', and the session starts again.`
    : `It could not be moved out of the way, so nothing of this session is saved${failure}`
  const why = String(details['why'] ?? 'cannot be read')
  return new HermesError('unreadable', `The record of the session, '${path}', ${why}. ${what}`, { cause, details })
}

/** If a record is found, nobody waits for the text. */
const startFreezing = (freeze: () => Promise<string>): (() => Promise<string>) => {
  const text = freeze()
  text.catch(() => undefined)
  return () => text
}

export const loadRecord = async (home: LoadingHome, wanted: RecordToLoad): Promise<LoadedRecord> => {
  const { id, checkpoint } = wanted
  const path = sessionPath(id)
  const freeze = wanted.isNew && checkpoint?.block === undefined ? startFreezing(wanted.freeze) : wanted.freeze
  const found = await readJsonDocument(home.storage, path, sessionRecordSchema)
  if (found.ok && found.value) return { loaded: found.value, isOurs: false, isWritten: true }
  const isBroken = !found.ok && found.error.code === 'unreadable'
  const begun = await beginRecord(home, { ...wanted, freeze })
  // What was said before is unknown, so it counts as text from outside, for later processes too.
  const first = found.ok ? begun : { ...begun, tainted: true }
  const reviewed = checkpoint && reviewedBefore(checkpoint, home.options)
  const copy = unreadableCopy(path, home.clock())
  // If the storage cannot even be read, do not wait for a write. What follows a broken record must not be lost: it says that text from outside was in sight.
  const created = found.ok || isBroken ? await createRecord(home, first, { reviewed, ...(isBroken ? { copy } : {}) }) : undefined
  const settled = created?.ok ? created.value : undefined
  const isOurs = settled?.isOurs !== false
  const loaded = settled?.record ?? first
  return {
    loaded: found.ok ? loaded : { ...loaded, tainted: true },
    isOurs,
    isWritten: settled !== undefined,
    reviewed: isOurs ? reviewed : undefined,
    ...(found.ok ? {} : { problem: isBroken ? notRead(found.error, path, copy, created) : found.error }),
  }
}
