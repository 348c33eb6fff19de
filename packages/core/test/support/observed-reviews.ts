/** What the reviews of a home have read, whichever process dies when: each process writes down what it is about to do to the state of the reviews. */
import { REVIEW_STATE_PATH, type ReviewState, reviewStateSchema } from '../../src/nudge/review-state.ts'
import type { StorageBackend, StoredDocument } from '../../src/storage/storage-backend.ts'

export type ReviewNote =
  | { readonly kind: 'begins' | 'gives-back' | 'has-read'; readonly fence: number }
  | { readonly kind: 'asks'; readonly fence: number; readonly text: string }

export interface ObservedStorage {
  readonly storage: StorageBackend
  /** Of the review that this process began last. */
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

/** Of a change that is about to be written. A review over nothing counts as given back. */
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

/** A review begun on top of a dead one is told as both. */
export const observeReviews = (inner: StorageBackend, note: (note: ReviewNote) => void): ObservedStorage => {
  let fence = 0
  return {
    get fence() {
      return fence
    },
    storage: {
      ...inner,
      update: (path, change) =>
        inner.update(path, (current) => {
          const next = change(current)
          if (path !== REVIEW_STATE_PATH || !(next instanceof Uint8Array)) return next
          const after = stateIn({ bytes: next })
          for (const each of after ? notesOf(stateIn(current), after) : []) {
            if (each.kind === 'begins') fence = each.fence
            note(each)
          }
          return next
        }),
    },
  }
}

/** For each text, how many finished reviews were shown it. One that said it has read, and that somebody gave back after all, had not finished. */
export const timesRead = (notes: readonly ReviewNote[], texts: readonly string[]): readonly number[] => {
  const fencesOf = (kind: ReviewNote['kind']) => new Set(notes.flatMap((note) => (note.kind === kind ? [note.fence] : [])))
  const [finished, givenBack] = [fencesOf('has-read'), fencesOf('gives-back')]
  return texts.map((text) => {
    const shown = notes.flatMap((note) => (note.kind === 'asks' && note.text.includes(text) ? [note.fence] : []))
    return [...new Set(shown)].filter((fence) => finished.has(fence) && !givenBack.has(fence)).length
  })
}
