/** The usage record of one skill, and what each event makes of it (seed 000, reference skills-curator 4). Pure. */
import { HermesError } from '../shared/hermes-error.ts'
import { err, ok, type Result } from '../shared/result.ts'
import { sha256OfText } from '../shared/sha256.ts'
import { addUse } from './uses-by-day.ts'

export const SKILL_STATES = ['active', 'stale', 'archived'] as const

export type SkillState = (typeof SKILL_STATES)[number]

export interface UsageRecord {
  /** `agent`: the curator may manage it. `null`: unknown. Other programs' values are kept. */
  readonly createdBy: string | null
  /** The model that wrote the skill, as its provider names it; null if unknown. */
  readonly createdByModel: string | null
  /** The model that changed it last; null if unknown or not a model. */
  readonly patchedByModel: string | null
  readonly state: SkillState
  readonly pinned: boolean
  readonly useCount: number
  readonly viewCount: number
  readonly patchCount: number
  /** Epoch milliseconds, 0 = never. A fraction holds the microseconds of a stamp written by Python. The same for every `…At`. */
  readonly lastUsedAt: number
  readonly lastViewedAt: number
  readonly lastPatchedAt: number
  /** 0 = unknown. */
  readonly createdAt: number
  /** 0 = not archived. */
  readonly archivedAt: number
  /** Incremented by each patch. */
  readonly patchGeneration: number
  /** The patch generation at the last reuse: below `patchGeneration`, the last patch has not been tried yet. */
  readonly lastReusedPatchGeneration: number
  /** When it was last restored from the archive, from which its age counts; 0 = never. */
  readonly restoredAt: number
  /** How often it was restored from the archive: each time, archiving it was a mistake. */
  readonly misjudgements: number
  /** Completed turns that loaded it, minus later corrections. */
  readonly successCount: number
  /** Changes by a review that cites the user, after the session had loaded the skill. */
  readonly correctionCount: number
  /** Completed turns that loaded it and in which a tool failed. */
  readonly failureCount: number
  readonly lastFailedAt: number
  /** Changes by a review after such a failure. */
  readonly repairCount: number
  /** Those of them since the last turn that succeeded with it. */
  readonly unprovenRepairs: number
  /**
   * SHA-256 of each file's text as it was when last written out of own words alone, by its path in the skill's folder: only a file that still has this text is
   * not from outside (DESIGN 5).
   */
  readonly ownTexts: Readonly<Record<string, string>>
  /** Uses by UTC day, for `readUsesByDay`; absent if none was counted. A record that is written without it leaves what is stored. */
  readonly usesByDay?: string
  /** The project that it was learned in; absent if none. */
  readonly project?: string
  /** Derived, never stored: the latest use, view or patch; 0 = never. Creation is not activity. */
  readonly lastActivityAt: number
  /** Derived: it failed again after two repairs, with no success between them, so a person should look at it. */
  readonly failing: boolean
}

/** A record without its derived fields, as it is written. */
export type UsageRecordInput = Omit<UsageRecord, 'lastActivityAt' | 'failing'>

export const NO_TEXTS: UsageRecord['ownTexts'] = {}

/** Times before 1970 are negative, so the latest is not simply the maximum with the zeros. */
const newestOf = (times: readonly number[]): number => {
  const known = times.filter((time) => time !== 0)
  return known.length === 0 ? 0 : Math.max(...known)
}

/** Repairs after which a skill that fails again is left to a person. */
const MOST_REPAIRS = 2

export const toUsageRecord = (input: UsageRecordInput): UsageRecord => ({
  ...input,
  failing: input.unprovenRepairs >= MOST_REPAIRS && input.lastFailedAt > input.lastPatchedAt,
  lastActivityAt: newestOf([input.lastUsedAt, input.lastViewedAt, input.lastPatchedAt]),
})

export const newUsageRecord = (createdAt: number, createdBy: string | null = null, createdByModel: string | null = null): UsageRecord =>
  toUsageRecord({
    createdBy,
    createdByModel,
    patchedByModel: null,
    state: 'active',
    pinned: false,
    useCount: 0,
    viewCount: 0,
    patchCount: 0,
    lastUsedAt: 0,
    lastViewedAt: 0,
    lastPatchedAt: 0,
    createdAt,
    archivedAt: 0,
    patchGeneration: 0,
    lastReusedPatchGeneration: 0,
    restoredAt: 0,
    misjudgements: 0,
    successCount: 0,
    correctionCount: 0,
    failureCount: 0,
    lastFailedAt: 0,
    repairCount: 0,
    unprovenRepairs: 0,
    ownTexts: NO_TEXTS,
  })

export const USAGE_EVENTS = ['use', 'view', 'patch', 'create', 'success', 'correction', 'failure', 'repair'] as const

/**
 * `use`: it was put into a prompt. `view`: somebody read it. `patch`: its text or files changed. `create`: a new skill with this name.
 * `success`: a turn that loaded it was completed. `correction`: the user had to correct its result; takes back one success. `failure`: a turn that loaded it was
 * completed, and a tool had failed in it. `repair`: a review changed it after such a turn; counted beside `patch`.
 */
export type UsageEvent = (typeof USAGE_EVENTS)[number]

export interface UsageEventDetails {
  /** For `create` only: `'agent'` lets the curator manage the skill. Default `null`. */
  readonly createdBy?: string | null
  /** For `create` and `patch`: the model that wrote it, as its provider names it. Default `null`: none, or unknown. */
  readonly model?: string | null
  /** For `create` and `patch`: a file that was written out of own words alone, with the SHA-256 of its text. */
  readonly own?: { readonly filePath: string; readonly digest: string } | undefined
  /** For `create`: the project that it was learned in. */
  readonly project?: string | undefined
}

const countUse = ({ usesByDay }: UsageRecord, at: number): Pick<UsageRecord, 'usesByDay'> => {
  const next = addUse(usesByDay, at)
  return next === undefined ? {} : { usesByDay: next }
}

/** `create` resets the whole record, since the name now belongs to another text. A missing record is created. */
export const applyUsageEvent = (
  current: UsageRecord | undefined,
  event: UsageEvent,
  at: number,
  { createdBy = null, model = null, own, project }: UsageEventDetails = {},
): UsageRecord => {
  const record = current ?? newUsageRecord(at)
  const written = own ? { [own.filePath]: own.digest } : NO_TEXTS
  switch (event) {
    case 'create':
      return { ...newUsageRecord(at, createdBy, model), ownTexts: written, ...(project === undefined ? {} : { project }) }
    case 'use':
      return toUsageRecord({
        ...record,
        ...countUse(record, at),
        useCount: record.useCount + 1,
        lastUsedAt: at,
        // The first use after creation does not count as a reuse.
        lastReusedPatchGeneration: record.useCount > 0 ? record.patchGeneration : record.lastReusedPatchGeneration,
      })
    case 'view':
      return toUsageRecord({ ...record, viewCount: record.viewCount + 1, lastViewedAt: at })
    case 'patch':
      return toUsageRecord({
        ...record,
        patchCount: record.patchCount + 1,
        lastPatchedAt: at,
        patchGeneration: record.patchGeneration + 1,
        patchedByModel: model,
        ...(own ? { ownTexts: { ...record.ownTexts, ...written } } : {}),
      })
    case 'success':
      return toUsageRecord({ ...record, successCount: record.successCount + 1, unprovenRepairs: 0 })
    case 'failure':
      return toUsageRecord({ ...record, failureCount: record.failureCount + 1, lastFailedAt: at })
    case 'repair':
      return toUsageRecord({ ...record, repairCount: record.repairCount + 1, unprovenRepairs: record.unprovenRepairs + 1 })
    case 'correction':
      return { ...record, successCount: Math.max(0, record.successCount - 1), correctionCount: record.correctionCount + 1 }
  }
}

/** `archived` sets the time of archiving, `active` clears it. */
export const applyState = (record: UsageRecord, state: SkillState, at: number): UsageRecord => {
  if (state === 'stale') return { ...record, state }
  return { ...record, state, archivedAt: state === 'active' ? 0 : at }
}

/** Restored from the archive: its age starts anew, and archiving it counts as a mistake (DESIGN 3). */
export const applyRestore = (record: UsageRecord, at: number): UsageRecord => ({
  ...applyState(record, 'active', at),
  restoredAt: at,
  misjudgements: record.misjudgements + 1,
})

/** Whether a file of a skill has exactly the text that was written out of own words alone; any other text is from outside (DESIGN 5). */
export const isOwnText = async (record: UsageRecord | undefined, filePath: string, text: string): Promise<boolean> => {
  const digests = record?.ownTexts ?? {}
  return Object.hasOwn(digests, filePath) && digests[filePath] === (await sha256OfText(text))
}

const MAX_NAME_CHARS = 255

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is refused here
const forbidden = /[\u0000-\u001f\u007f/\\]|[\ud800-\udfff]/u

/** Refuses paths and names that are not valid folder names, since no skill could have them (reference skills-curator 2 and 3). */
export const checkUsageName = (name: string): Result<string> => {
  const isName = typeof name === 'string' && name.trim() !== '' && name.length <= MAX_NAME_CHARS && !forbidden.test(name)
  if (isName) return ok(name)
  const shown = typeof name === 'string' ? `'${name.slice(0, 80)}'` : `A value of type ${typeof name}`
  return err(new HermesError('invalid', `${shown} cannot be the name of a skill. Pass the name in its front matter, such as 'pdf-tools'.`))
}
