import type { AcceptedMutant } from './accepted-mutant.ts'

/** `line`: if the code alone says too little. */
export type MutantChange = readonly [code: string | RegExp, becomes: string | RegExp, line?: string | RegExp]

/** For each reason: the file, relative to the folder, and what becomes what in it. */
export const toAccepted = (
  folder: string,
  reasons: readonly (readonly [why: string, file: string, ...MutantChange[]])[],
): readonly AcceptedMutant[] =>
  reasons.flatMap(([why, file, ...mutants]) =>
    mutants.map(([code, becomes, line]) => ({ file: `${folder}/${file}`, code, becomes, why, ...(line === undefined ? {} : { line }) })),
  )
