/** `skills/.curator_state`: when the curator last ran and whether it is paused, shared with Python Hermes (reference skills-curator 11). */
import { HermesError } from '../../shared/hermes-error.ts'
import { err, ok, type Result } from '../../shared/result.ts'
import { keepCopy, nameByContent } from '../../storage/keep-copy.ts'
import { type StorageBackend, type StoredDocument, UNCHANGED } from '../../storage/storage-backend.ts'
import { type CuratorState, decodeCuratorState, encodeCuratorState, toCuratorState } from './curator-state-document.ts'

export const CURATOR_STATE_PATH = 'skills/.curator_state'

/** A file that turns corrupt again and again is no accident. */
const MAX_REPAIRS = 5

/** One copy for each content, so that nothing is ever overwritten unseen. */
const keepAside = (storage: StorageBackend, { bytes }: StoredDocument): Promise<Result<string>> => {
  const path = `${CURATOR_STATE_PATH}.corrupt-${nameByContent(bytes)}`
  return keepCopy(storage, { bytes }, (serial) => (serial === 1 ? path : `${path}-${serial}`), CURATOR_STATE_PATH)
}

const corrupt = (): HermesError =>
  new HermesError(
    'unreadable',
    `'${CURATOR_STATE_PATH}' is no JSON object, so a pause in it has no effect. The next run or pause keeps it aside and starts afresh.`,
    {
      details: { path: CURATOR_STATE_PATH },
    },
  )

/** The state, and what is wrong with it. */
export const inspectCuratorState = async (
  storage: StorageBackend,
): Promise<Result<{ readonly state: CuratorState; readonly problem: HermesError | undefined }>> => {
  const document = await storage.read(CURATOR_STATE_PATH)
  if (!document.ok) return document
  const stored = decodeCuratorState(document.value)
  return ok({ state: toCuratorState(stored ?? {}), problem: document.value && !stored ? corrupt() : undefined })
}

/** A corrupt state counts as a new one, so that it starts no run; it stays as it is until something is written. */
export const readCuratorState = async (storage: StorageBackend): Promise<Result<CuratorState>> => {
  const inspected = await inspectCuratorState(storage)
  return inspected.ok ? ok(inspected.value.state) : inspected
}

export interface CuratorStateChanged {
  readonly state: CuratorState
  /** `false` where the change left it as it was. */
  readonly changed: boolean
  /** A corrupt state was kept aside: its pause, if there was one, is forgotten. */
  readonly problem: HermesError | undefined
}

/** Atomic; `change` is pure and answers what is new, or `undefined` for nothing. A corrupt state is kept aside before it gives way. */
export const updateCuratorState = async (
  storage: StorageBackend,
  change: (current: CuratorState) => Partial<CuratorState> | undefined,
): Promise<Result<CuratorStateChanged>> => {
  let replaceable: string | undefined
  let problem: HermesError | undefined
  for (let attempt = 0; attempt <= MAX_REPAIRS; attempt++) {
    const held: { corrupt?: StoredDocument; outcome: Omit<CuratorStateChanged, 'problem'> } = {
      outcome: { state: toCuratorState({}), changed: false },
    }
    const updated = await storage.update(CURATOR_STATE_PATH, (document) => {
      const stored = decodeCuratorState(document)
      if (!stored && document && document.version !== replaceable) {
        held.corrupt = document
        return UNCHANGED
      }
      delete held.corrupt
      const current = toCuratorState(stored ?? {})
      const next = change(current)
      held.outcome = { state: { ...current, ...next }, changed: next !== undefined }
      return next === undefined ? UNCHANGED : encodeCuratorState(stored ?? {}, held.outcome.state)
    })
    if (!updated.ok) return updated
    if (!held.corrupt) return ok({ ...held.outcome, problem })
    const kept = await keepAside(storage, held.corrupt)
    if (!kept.ok) return kept
    replaceable = held.corrupt.version
    const message = `'${CURATOR_STATE_PATH}' was no JSON object and is kept as '${kept.value}'. The curator starts afresh: pause it again if it was paused.`
    problem = new HermesError('unreadable', message, { details: { path: CURATOR_STATE_PATH, keptAside: [kept.value] } })
  }
  return err(new HermesError('unreadable', `'${CURATOR_STATE_PATH}' turns corrupt over and over. Find the program that writes it.`))
}

/** A person's word: no run comes by itself until it is resumed. */
export const pauseCurator = (storage: StorageBackend): Promise<Result<CuratorStateChanged>> =>
  updateCuratorState(storage, ({ paused }) => (paused ? undefined : { paused: true }))

export const resumeCurator = (storage: StorageBackend): Promise<Result<CuratorStateChanged>> =>
  updateCuratorState(storage, ({ paused }) => (paused ? { paused: false } : undefined))
