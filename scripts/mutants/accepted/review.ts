import type { AcceptedMutant } from './accepted-mutant.ts'

export const REVIEW: readonly AcceptedMutant[] = []
