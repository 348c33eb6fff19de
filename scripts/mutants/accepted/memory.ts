import type { AcceptedMutant } from './accepted-mutant.ts'

export const MEMORY: readonly AcceptedMutant[] = []
