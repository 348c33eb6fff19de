import type { AcceptedMutant } from './accepted-mutant.ts'
import { EVERYWHERE } from './everywhere.ts'
import { GATE } from './gate.ts'
import { MEMORY } from './memory.ts'
import { NUDGE } from './nudge.ts'
import { REVIEW } from './review.ts'
import { ROLLBACK } from './rollback.ts'
import { SESSION } from './session.ts'
import { STORAGE } from './storage.ts'

/** One file for each folder of folders.ts. */
export const ACCEPTED: readonly AcceptedMutant[] = [
  ...EVERYWHERE,
  ...GATE,
  ...MEMORY,
  ...NUDGE,
  ...REVIEW,
  ...ROLLBACK,
  ...SESSION,
  ...STORAGE,
]
