/** Failures of a skill call in words for the model, where they differ from the common ones. */
import { SKILL_FILE, SKILLS_FOLDER } from '../skills/skill-discovery.ts'
import type { Failure, FailureSubject, Refusal } from './describe-failure.ts'

// A support file that is no text can be written whole, or left alone; a SKILL.md that cannot be read is a person's to mend.
const unreadable = (path: string, { details = {} }: Refusal): Failure | undefined =>
  details['systemCode'] === undefined && !path.endsWith(SKILL_FILE)
    ? undefined
    : {
        fact: `${path} cannot be read as text, so it was left as it is.`,
        tellUser: 'to check that file: its permissions, and that it is valid UTF-8',
      }

// The system's own words name files on the machine, which are not the model's to know.
const refusedBySystem = (path: string, { details = {} }: Pick<Refusal, 'details'>): Failure | undefined =>
  details['systemCode'] === undefined ? undefined : { fact: `The file system takes nothing as ${path}.` }

// What the model called wrongly it can call rightly; where the file system refuses the place, only a person can.
const invalidPath = (path: string, { details = {} }: Refusal): Failure | undefined => {
  const { link, systemCode } = details
  if (typeof link !== 'string' && systemCode !== 'ELOOP') return refusedBySystem(path, { details })
  const place = typeof link === 'string' ? link : path
  return { fact: `${place} leads to a place where no skill may be kept.`, tellUser: 'to check the symbolic links there' }
}

const failures = (nothing: string, own: FailureSubject['own'] = {}): FailureSubject => ({
  nothing,
  place: 'the skill library',
  off: 'skills are',
  again: 'repeat this call',
  path: `${SKILLS_FOLDER}/`,
  own: { unreadable, invalid_path: invalidPath, occupied: refusedBySystem, ...own },
})

export const SKILL_WRITE_FAILURES: FailureSubject = failures('Nothing was saved')

// Of a read that did not end in time more is known than of a write.
const tooSlow = (): Failure => ({ fact: 'Nothing was read: the skill library did not answer in time.' })

export const SKILL_READ_FAILURES: FailureSubject = failures('Nothing was read', { timeout: tooSlow })
