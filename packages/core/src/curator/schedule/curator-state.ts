/** Reads and writes `skills/.curator_state`: time of the last run and pause, shared with Python Hermes (reference skills-curator 11). */

import { fingerprintOfBytes } from '../../shared/fingerprint.ts'
import { HermesError } from '../../shared/hermes-error.ts'
import { err, ok, type Result } from '../../shared/result.ts'
import { equalContent } from '../../storage/equal-content.ts'
import { keepCopy } from '../../storage/keep-copy.ts'
import { readDocument, UNCHANGED, updateDocument } from '../../storage/one-document.ts'
import type { StorageBackend, StoredDocument } from '../../storage/storage-backend.ts'
import { type CuratorState, decodeCuratorState, encodeCuratorState, toCuratorState } from './curator-state-document.ts'

export const CURATOR_STATE_PATH = 'skills/.curator_state'

/** More repairs than this indicate a lasting fault. */
const MAX_REPAIRS = 5

/** One copy for each distinct content, so that no earlier copy is overwritten. */
const keepAside = (storage: StorageBackend, { bytes }: StoredDocument): Promise<Result<string>> => {
  const path = `${CURATOR_STATE_PATH}.corrupt-${fingerprintOfBytes(bytes)}`
  return keepCopy(storage, { bytes }, (serial) => (serial === 1 ? path : `${path}-${serial}`), CURATOR_STATE_PATH)
}

const corrupt = (): HermesError =>
  new HermesError(
    'unreadable',
    `'${CURATOR_STATE_PATH}' is not a JSON object, so a pause in it has no effect. The next run or pause keeps it aside and starts afresh.`,
    {
      details: { path: CURATOR_STATE_PATH },
    },
  )

/** The state, and the problem with it, if any. */
export const inspectCuratorState = async (
  storage: StorageBackend,
): Promise<Result<{ readonly state: CuratorState; readonly problem: HermesError | undefined }>> => {
  const document = await readDocument(storage, CURATOR_STATE_PATH)
  if (!document.ok) return document
  const stored = decodeCuratorState(document.value)
  return ok({ state: toCuratorState(stored ?? {}), problem: document.value && !stored ? corrupt() : undefined })
}

/** A corrupt state counts as new, so that it starts no run; the document is kept until the next write. */
export const readCuratorState = async (storage: StorageBackend): Promise<Result<CuratorState>> => {
  const inspected = await inspectCuratorState(storage)
  return inspected.ok ? ok(inspected.value.state) : inspected
}

export interface CuratorStateChanged {
  readonly state: CuratorState
  /** `false` if the state was already so. */
  readonly changed: boolean
  /** A corrupt state was set aside; a pause in it is lost. */
  readonly problem: HermesError | undefined
}

/**
 * Atomic. `change` is pure and returns the new fields, or `undefined` for no change. A corrupt state is set aside before it is replaced.
 */
export const updateCuratorState = async (
  storage: StorageBackend,
  change: (current: CuratorState) => Partial<CuratorState> | undefined,
): Promise<Result<CuratorStateChanged>> => {
  let replaceable: StoredDocument | undefined
  let problem: HermesError | undefined
  for (let attempt = 0; attempt <= MAX_REPAIRS; attempt++) {
    const held: { corrupt?: StoredDocument; outcome: Omit<CuratorStateChanged, 'problem'> } = {
      outcome: { state: toCuratorState({}), changed: false },
    }
    const updated = await updateDocument(storage, CURATOR_STATE_PATH, (document) => {
      const stored = decodeCuratorState(document)
      if (!stored && document && !equalContent(document, replaceable)) {
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
    replaceable = held.corrupt
    const message = `'${CURATOR_STATE_PATH}' was not a JSON object and is kept as '${kept.value}'. The curator starts afresh: pause it again if it was paused.`
    problem = new HermesError('unreadable', message, { details: { path: CURATOR_STATE_PATH, keptAside: [kept.value] } })
  }
  return err(new HermesError('unreadable', `'${CURATOR_STATE_PATH}' keeps becoming corrupt. Find the program that writes it.`))
}

/** Stops scheduled runs until `resumeCurator`. */
export const pauseCurator = (storage: StorageBackend): Promise<Result<CuratorStateChanged>> =>
  updateCuratorState(storage, ({ paused }) => (paused ? undefined : { paused: true }))

export const resumeCurator = (storage: StorageBackend): Promise<Result<CuratorStateChanged>> =>
  updateCuratorState(storage, ({ paused }) => (paused ? { paused: false } : undefined))
