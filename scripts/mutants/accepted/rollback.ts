import type { AcceptedMutant } from './accepted-mutant.ts'

export const ROLLBACK: readonly AcceptedMutant[] = []
