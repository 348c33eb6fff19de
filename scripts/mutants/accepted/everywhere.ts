import type { AcceptedMutant } from './accepted-mutant.ts'

/** Patterns of the house, in any folder. */
export const EVERYWHERE: readonly AcceptedMutant[] = [
  {
    line: /.*\.\.\.\(.*=== undefined \? \{\} : \{.*/,
    code: /[\w.?]+ === undefined/,
    becomes: 'false',
    why: 'A field that is undefined reads as one that is absent.',
  },
]
