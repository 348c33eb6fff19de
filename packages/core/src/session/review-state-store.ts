/** Reads and writes `sessions/.reviews.json` through the storage port. */

import { EMPTY_REVIEW_STATE, REVIEW_STATE_PATH, type ReviewState, reviewStateSchema } from '../nudge/review-state.ts'
import type { Clock } from '../shared/clock.ts'
import type { HermesError } from '../shared/hermes-error.ts'
import { ok, type Result } from '../shared/result.ts'
import { readJsonDocument, updateJsonDocument } from '../storage/json-document.ts'
import { moveDocuments, UNCHANGED } from '../storage/one-document.ts'
import type { StorageBackend } from '../storage/storage-backend.ts'
import { unreadableCopy } from './session-record.ts'

export interface ReviewStateStore {
  read(): Promise<Result<ReviewState>>
  /** The running review. */
  readReview(): Promise<Result<ReviewState['review']>>
  /** `change` must be pure; undefined leaves the state unchanged. A broken document is moved aside, since the state can be rebuilt from the session records. */
  update(change: (state: ReviewState) => ReviewState | undefined): Promise<Result<void>>
}

export const reviewStateStore = (options: {
  readonly storage: StorageBackend
  readonly clock: Clock
  readonly onBroken: (problem: HermesError) => void
}): ReviewStateStore => {
  const { storage, clock, onBroken } = options

  const update = (change: (state: ReviewState) => ReviewState | undefined): Promise<Result<ReviewState | undefined>> =>
    updateJsonDocument(storage, REVIEW_STATE_PATH, reviewStateSchema, (current) => {
      // A running review may outlive a lost state, and its number must not be reused.
      const state = current ?? { ...EMPTY_REVIEW_STATE, fence: Math.max(0, Math.floor(clock())) }
      const next = change(state)
      return next === undefined || next === state ? UNCHANGED : next
    })

  const readState = () => readJsonDocument(storage, REVIEW_STATE_PATH, reviewStateSchema)

  return {
    async read() {
      const found = await readState()
      return found.ok ? ok(found.value ?? EMPTY_REVIEW_STATE) : found
    },
    async readReview() {
      const found = await readState()
      return found.ok ? ok(found.value?.review) : found
    },
    async update(change) {
      const updated = await update(change)
      if (updated.ok || updated.error.code !== 'unreadable') return updated.ok ? ok(undefined) : updated
      onBroken(updated.error)
      const moved = await moveDocuments(storage, REVIEW_STATE_PATH, unreadableCopy(REVIEW_STATE_PATH, clock()))
      if (!moved.ok && moved.error.code !== 'not_found') return moved
      const again = await update(change)
      return again.ok ? ok(undefined) : again
    },
  }
}
