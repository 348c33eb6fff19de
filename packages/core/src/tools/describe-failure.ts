/** What the model is told of a call that nothing it could send differently would mend: the fact, and one advice. */
import { toScanParts } from '../memory/scan-parts.ts'
import { SKILL_FILE, SKILLS_FOLDER } from '../skills/skill-discovery.ts'
import { scanThreats } from '../threats/scan.ts'
import type { ToolRefusal } from './tool-results.ts'

/** `code` and `details` as in `HermesError`. */
export interface Refusal {
  readonly code: string
  readonly message: string
  readonly details?: Readonly<Record<string, unknown>>
}

export interface Failure {
  readonly fact: string
  /** What only a person can do about it. */
  readonly tellUser?: string
}

/** What was called, in words. */
export interface FailureSubject {
  /** `Nothing was saved`. */
  readonly nothing: string
  /** `memory`. */
  readonly place: string
  /** What a switched-off option switches off, with its verb. */
  readonly off: string
  /** `call again`, or what else must not be done in this turn. */
  readonly again: string
  /** The document concerned, where the refusal names none. */
  readonly path: string
  /** Failures in other words than the common ones; `undefined` where another call can mend it. */
  readonly own: Readonly<Record<string, (path: string, refusal: Refusal) => Failure | undefined>>
}

// The errors' own words advise the person or the programmer who can mend them ("free some space and try again"): a model would obey them.
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

/** `undefined` for a refusal that another call can mend; its own words say how. */
export const describeFailure = (subject: FailureSubject, refusal: Refusal): string | undefined => {
  const path = refusal.details?.['path']
  const table = { ...common(subject), ...subject.own }
  const describe = Object.hasOwn(table, refusal.code) ? table[refusal.code] : undefined
  const failure = describe?.(typeof path === 'string' ? path : subject.path, refusal)
  if (!failure) return undefined
  const { fact, tellUser } = failure
  return `${fact} Do not ${subject.again} in this turn; go on with the task${tellUser === undefined ? '' : ` and tell the user ${tellUser}`}.`
}

// What of the library's own text a model may read: cut to a length, and not at all where the threat scan finds something in it.

/** To its end, however long. A skill is context, not memory: what only memory must not hold, such as a command that reads a key file, a skill may. */
export const findingsIn = (text: string): readonly string[] => {
  const found = toScanParts(text).flatMap((part) => scanThreats(part, 'context'))
  return [...new Set(found)].sort()
}

/** The first `max` code points; a sign of the cut stands behind them. */
export const cutText = (text: string, max: number): string => {
  if (text.length <= max) return text
  const points = Array.from(text.slice(0, 2 * max + 2))
  return points.length > max ? `${points.slice(0, max).join('')}…` : text
}

/** Stands for a text with findings: names their ids, never the text. */
const withheld = (findings: readonly string[]): string => `[BLOCKED: the threat scan keeps this text out of sight: ${findings.join(', ')}]`

/** The text, or a placeholder for it. */
export const shownText = (text: string): string => {
  const findings = findingsIn(text)
  return findings.length > 0 ? withheld(findings) : text
}

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

/** Failures of a skill call in words for the model, where they differ from the common ones. */
export const SKILL_READ_FAILURES: FailureSubject = failures('Nothing was read', { timeout: tooSlow })

/** Names listed of one kind. */
const MAX_LISTED = 50

const texts = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.filter((each) => typeof each === 'string').slice(0, MAX_LISTED) : []

/** What the model reads of a skill call that was refused: what was wrong, what there is instead, and whether another call makes sense. */
export const describeSkillRefusal = (subject: FailureSubject, refusal: Refusal): ToolRefusal => {
  const { code, message, details = {} } = refusal
  const failure = describeFailure(subject, refusal)
  const candidates = texts(details['candidates'])
  const files = texts(details['files'])
  return {
    success: false,
    done: failure !== undefined,
    code,
    // Messages quote from files, and what the scan keeps out of sight must not come in by an error.
    error: shownText(failure ?? message),
    ...(candidates.length > 0 ? { candidates: candidates.map(shownText) } : {}),
    ...(files.length > 0 ? { files: files.map(shownText) } : {}),
  }
}
