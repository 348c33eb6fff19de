import type { AcceptedMutant } from './accepted-mutant.ts'

export const STORAGE: readonly AcceptedMutant[] = []
