import type { AcceptedMutant } from './accepted-mutant.ts'

/** Patterns of the house, in any folder. */
export const EVERYWHERE: readonly AcceptedMutant[] = [
  {
    line: /.*\.\.\.\(.*=== undefined \? \{\} : \{.*/,
    code: /[\w.?]+ === undefined/,
    becomes: 'false',
    why: 'A field that is undefined reads as one that is absent.',
  },
  {
    line: /.*\bspend\(.*/,
    code: /.*/s,
    becomes: /.*/s,
    why: 'How much work counts is a matter of speed: tests hold hostile texts to a time, and ordinary ones to a verdict.',
  },
]
