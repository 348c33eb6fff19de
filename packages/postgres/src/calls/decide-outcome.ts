/** Was a write stored whose commit was never confirmed? Decided by the versions that the document has and had. Pure. */
import type { DocumentState } from './document-rows.ts'

/** Versions; `undefined`: no document. */
export interface Attempt {
  readonly before: string | undefined
  readonly after: string | undefined
}

export type AttemptOutcome = 'stored' | 'not_stored' | 'unknown'

/** `trailLength`: the number of earlier versions that a row remembers at most. */
export const decideOutcome = ({ before, after }: Attempt, now: DocumentState | undefined, trailLength: number): AttemptOutcome => {
  if (!now) {
    // Removed, as it was to be. Or created and removed again, and then the document holds no trace of the write. Or overtaken by a removal.
    if (after === undefined) return 'stored'
    return before === undefined ? 'not_stored' : 'unknown'
  }
  const versions = [now.document.version, ...now.trail]
  if (after !== undefined && versions.includes(after)) return 'stored'
  if (before !== undefined && versions.includes(before)) return 'not_stored'
  // A short trail reaches back to the creation of the document.
  if (now.trail.length >= trailLength) return 'unknown'
  if (before === undefined) return 'not_stored'
  return after === undefined ? 'stored' : 'unknown'
}
