/** What the reviews of a home have read, even if processes die: each process logs every change to the review state before it makes it. */

import { REVIEW_STATE_PATH, type ReviewState, reviewStateSchema } from '../../src/nudge/review-state.ts'
import type { StorageBackend, StoredDocument } from '../../src/storage/storage-backend.ts'

export type ReviewNote =
  | { readonly kind: 'begins' | 'gives-back' | 'has-read'; readonly fence: number }
  | { readonly kind: 'asks'; readonly fence: number; readonly text: string }

export interface ObservedStorage {
  readonly storage: StorageBackend
  /** The review that this process started last. */
  readonly fence: number
}

const stateIn = (document: Pick<StoredDocument, 'bytes'> | undefined): ReviewState | undefined => {
  try {
    return document && reviewStateSchema.parse(JSON.parse(new TextDecoder().decode(document.bytes)))
  } catch {
    return undefined
  }
}

const wordsRead = (state: ReviewState): number => state.sessions.reduce((sum, { read }) => sum + read.words, 0)

/** Describes a change that is about to be written. A review of no turns counts as given back. */
const notesOf = (before: ReviewState | undefined, after: ReviewState): readonly ReviewNote[] => {
  const was = before?.review?.fence
  const is = after.review?.fence
  const ended = was === undefined || was === is || !before ? [] : [was]
  const kind = before && after.failures === 0 && wordsRead(after) > wordsRead(before) ? 'has-read' : 'gives-back'
  return [
    ...ended.map((fence) => ({ kind, fence }) as const),
    ...(is === undefined || is === was ? [] : [{ kind: 'begins', fence: is } as const]),
  ]
}

/** A review that replaces a dead one is reported as both. */
export const observeReviews = (inner: StorageBackend, note: (note: ReviewNote) => void): ObservedStorage => {
  let fence = 0
  return {
    get fence() {
      return fence
    },
    storage: {
      ...inner,
      update: (paths, plan, options) =>
        inner.update(
          paths,
          (cut) => {
            const planned = plan(cut)
            const next = planned.put?.[REVIEW_STATE_PATH]
            if (!next) return planned
            const after = stateIn('bytes' in next ? next : { bytes: next })
            for (const each of after ? notesOf(stateIn(cut.document(REVIEW_STATE_PATH)), after) : []) {
              if (each.kind === 'begins') fence = each.fence
              note(each)
            }
            return planned
          },
          options,
        ),
    },
  }
}

/** For each text, the number of finished reviews that read it. A review that was given back after it reported its reading had not finished. */
export const timesRead = (notes: readonly ReviewNote[], texts: readonly string[]): readonly number[] => {
  const fencesOf = (kind: ReviewNote['kind']) => new Set(notes.flatMap((note) => (note.kind === kind ? [note.fence] : [])))
  const [finished, givenBack] = [fencesOf('has-read'), fencesOf('gives-back')]
  return texts.map((text) => {
    const shown = notes.flatMap((note) => (note.kind === 'asks' && note.text.includes(text) ? [note.fence] : []))
    return [...new Set(shown)].filter((fence) => finished.has(fence) && !givenBack.has(fence)).length
  })
}
