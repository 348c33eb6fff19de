/** Describes a failed tool call to the model if no other call could succeed: the fact and one piece of advice. */
import { SKILL_FILE, SKILLS_FOLDER } from '../skills/skill-discovery.ts'
import { scanThreats } from '../threats/scan.ts'
import { toScanParts } from '../threats/scan-parts.ts'
import type { Refusal, ToolRefusal } from './tool-definition.ts'

export interface Failure {
  readonly fact: string
  /** What only a person can fix. */
  readonly tellUser?: string
}

/** Describes the call that failed. */
export interface FailureSubject {
  /** Such as `Nothing was saved`. */
  readonly nothing: string
  /** Such as `memory`. */
  readonly place: string
  /** What a disabled option disables, with its verb. */
  readonly off: string
  /** Such as `call again`: what must not be done in this turn. */
  readonly again: string
  /** Path of the document, if the refusal has none. */
  readonly path: string
  /** Failures with their own wording; `undefined` if another call can succeed. */
  readonly own: Readonly<Record<string, (path: string, refusal: Refusal) => Failure | undefined>>
}

// The messages of the errors advise the person or the programmer ("free some space and try again"), and a model would follow that advice.
const common = ({ nothing, place, off }: FailureSubject): Readonly<Record<string, (path: string, refusal: Refusal) => Failure>> => ({
  rejected: (_, { message }) => ({ fact: /[.!?]$/.test(message) ? message : `${message}.` }),
  capped: () => ({ fact: `Too many changes of this turn failed, so ${place} stays as it is until the next turn.` }),
  disabled: () => ({ fact: `${nothing}: ${off} switched off.` }),
  gate: () => ({ fact: `${nothing}: the check that every change must pass has failed itself.` }),
  unwritable: (path) => ({
    fact: `${nothing}: this program may not write ${path}.`,
    tellUser: 'to check who owns that file and its permissions',
  }),
  no_space: () => ({ fact: `${nothing}: the disk that holds ${place} is full.`, tellUser: 'to free some space' }),
  locked: () => ({ fact: `${nothing}: another program held ${place} the whole time.`, tellUser: 'to close that program' }),
  closed: () => ({ fact: `${nothing}: ${place} was closed.` }),
  timeout: () => ({ fact: `It is not known whether this was done: ${place} did not answer in time.` }),
  io: () => ({ fact: `Nothing is known to be done: ${place} could not be reached.` }),
})

/** `undefined` for a refusal that another call can fix; its own message says how. */
export const describeFailure = (subject: FailureSubject, refusal: Refusal): string | undefined => {
  const path = refusal.details?.['path']
  const table = { ...common(subject), ...subject.own }
  const describe = Object.hasOwn(table, refusal.code) ? table[refusal.code] : undefined
  const failure = describe?.(typeof path === 'string' ? path : subject.path, refusal)
  if (!failure) return undefined
  const { fact, tellUser } = failure
  return `${fact} Do not ${subject.again} in this turn; go on with the task${tellUser === undefined ? '' : ` and tell the user ${tellUser}`}.`
}

/**
 * Threats found in the whole text, however long. Skills are scanned as context, not as memory: they may contain text that only memory must not, such as a
 * command that reads a key file.
 */
export const findingsIn = (text: string): readonly string[] => {
  const found = toScanParts(text).flatMap((part) => scanThreats(part, 'context'))
  return [...new Set(found)].sort()
}

/** The first `max` code points, followed by a mark if the text was cut. */
export const cutText = (text: string, max: number): string => {
  if (text.length <= max) return text
  const points = Array.from(text.slice(0, 2 * max + 2))
  return points.length > max ? `${points.slice(0, max).join('')}…` : text
}

/** Placeholder for a text with findings: contains their ids, never the text. */
const withheld = (findings: readonly string[]): string => `[BLOCKED: the threat scan keeps this text out of sight: ${findings.join(', ')}]`

/** The text, or a placeholder if the threat scan finds something in it. */
export const shownText = (text: string): string => {
  const findings = findingsIn(text)
  return findings.length > 0 ? withheld(findings) : text
}

// A binary support file can be rewritten as a whole; an unreadable SKILL.md must be fixed by a person.
const unreadable = (path: string, { details = {} }: Refusal): Failure | undefined =>
  details['systemCode'] === undefined && !path.endsWith(SKILL_FILE)
    ? undefined
    : {
        fact: `${path} cannot be read as text, so it was left as it is.`,
        tellUser: 'to check that file: its permissions, and that it is valid UTF-8',
      }

// The operating system's message contains machine paths, which the model must not see.
const refusedBySystem = (path: string, { details = {} }: Pick<Refusal, 'details'>): Failure | undefined =>
  details['systemCode'] === undefined ? undefined : { fact: `The file system takes nothing as ${path}.` }

// The model can correct a wrong path; a path that the file system refuses must be fixed by a person.
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

// Unlike a write, a read that timed out has certainly had no effect.
const tooSlow = (): Failure => ({ fact: 'Nothing was read: the skill library did not answer in time.' })

/** Failures of a skill call, with wording of their own. */
export const SKILL_READ_FAILURES: FailureSubject = failures('Nothing was read', { timeout: tooSlow })

/** Maximum number of names listed of one kind. */
const MAX_LISTED = 50

const texts = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.filter((each) => typeof each === 'string').slice(0, MAX_LISTED) : []

/** Describes a refused skill call to the model: what was wrong, what exists instead, and whether another call can succeed. */
export const describeSkillRefusal = (subject: FailureSubject, refusal: Refusal): ToolRefusal => {
  const { code, message, details = {} } = refusal
  const failure = describeFailure(subject, refusal)
  const candidates = texts(details['candidates'])
  const files = texts(details['files'])
  return {
    success: false,
    done: failure !== undefined,
    code,
    // Messages quote from files, and an error must not show text that the scan withholds.
    error: shownText(failure ?? message),
    ...(candidates.length > 0 ? { candidates: candidates.map(shownText) } : {}),
    ...(files.length > 0 ? { files: files.map(shownText) } : {}),
  }
}
