import type { AcceptedMutant } from './accepted-mutant.ts'

export const GATE: readonly AcceptedMutant[] = []
