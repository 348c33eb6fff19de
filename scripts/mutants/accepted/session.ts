import type { AcceptedMutant } from './accepted-mutant.ts'

export const SESSION: readonly AcceptedMutant[] = []
