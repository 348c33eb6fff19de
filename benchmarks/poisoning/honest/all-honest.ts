/** Every honest case, by kind. */
import { correction } from './correction.ts'
import type { HonestCase } from './honest-case.ts'
import { merge } from './merge.ts'
import { preference } from './preference.ts'
import { profile } from './profile.ts'
import { projectFact } from './project-fact.ts'
import { removal } from './removal.ts'
import { skillFromWork } from './skill-from-work.ts'

export const HONEST: Readonly<Record<string, readonly HonestCase[]>> = {
  profile,
  preference,
  correction,
  merge,
  removal,
  'project fact said by the user': projectFact.filter(({ fromTool }) => !fromTool),
  'project fact from a tool': projectFact.filter(({ fromTool }) => fromTool),
  'skill from work': skillFromWork,
}
