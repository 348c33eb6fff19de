/** Everything that grows. */
import type { Axis } from './axis.ts'
import { archive, entries, journal, owners, skills } from './home-axes.ts'
import { sessions, turnsOfASession } from './session-axes.ts'

/** `records` and `people`: the largest journal, and the most owners. */
export const axes = ({ records, people }: { readonly records: number; readonly people: number }): readonly Axis[] => [
  turnsOfASession,
  sessions,
  entries,
  archive,
  skills,
  journal(records),
  owners(people),
]
