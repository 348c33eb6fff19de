/** The skills that a skill review is shown: a line for each, and the full text of those it may patch; read before write (reference skills-curator 6 and 13). */
import { countUnits } from '../../model/token-estimate.ts'
import { judgeOwnership, type OwnershipMarks, readOwnershipMarks, type SkillProtection } from '../../ownership/skill-ownership.ts'
import type { Clock } from '../../shared/clock.ts'
import type { HermesError } from '../../shared/hermes-error.ts'
import { ok, type Result } from '../../shared/result.ts'
import { SKILL_FILE, toDocumentPath } from '../../skills/skill-discovery.ts'
import type { SkillListEntry } from '../../skills/skill-index.ts'
import { isSharedFailure } from '../../skills/skill-reader.ts'
import { byCodeUnit } from '../../storage/document-tree.ts'
import { subjectWords } from '../../text/content-words.ts'
import { scanThreats } from '../../threats/scan.ts'
import { toScanParts } from '../../threats/scan-parts.ts'
import type { UsageRecord } from '../../usage/usage-record.ts'
import { isOwnText } from '../../usage/usage-record.ts'
import type { UsageRecords } from '../../usage/usage-store.ts'
import type { FailedTurn, WritableSkills } from '../apply/disposal-options.ts'
import { sharedNames } from '../apply/skill-plan.ts'
import {
  canBeShown,
  describeFullSkill,
  describeLibrary,
  describeNamedSkill,
  describeShelfSkill,
  type ShelfMark,
} from './prompts/describe-skills.ts'

interface Described {
  readonly name: string
  readonly description: string
  readonly path: string
}

interface Placed<T> {
  readonly skill: T
  readonly loaded: boolean
  /** Loaded, or related to the conversation. */
  readonly relevant: boolean
}

/** A single common word is not enough, unless it is half of the skill's own words. */
const MIN_COMMON_WORDS = 2

/**
 * Loaded skills first, newest first; then the rest by how many words of their names and descriptions occur in the conversation, then by path. `loaded`:
 * names, oldest first.
 */
export const shelfOrder = <T extends Described>(
  skills: readonly T[],
  loaded: readonly string[],
  conversation: string,
): readonly Placed<T>[] => {
  const said = subjectWords(conversation)
  return skills
    .map((skill) => {
      const words = [...subjectWords(`${skill.name} ${skill.description}`)]
      const common = words.filter((word) => said.has(word)).length
      const loadedAt = loaded.lastIndexOf(skill.name)
      const isAbout = common >= MIN_COMMON_WORDS || (common > 0 && common * 2 >= words.length)
      return { placed: { skill, loaded: loadedAt >= 0, relevant: loadedAt >= 0 || isAbout }, loadedAt, common }
    })
    .sort((a, b) => b.loadedAt - a.loadedAt || b.common - a.common || byCodeUnit(a.placed.skill.path, b.placed.skill.path))
    .map(({ placed }) => placed)
}

export interface SkillShelf {
  /** For the reviewer's request. */
  readonly text: string
  /** Document path → version, of the documents that the text shows in full: nothing else may be changed. */
  readonly shown: ReadonlyMap<string, string>
}

export interface ShelfSourceOptions extends Pick<WritableSkills, 'store' | 'reader' | 'usage' | 'storage'> {
  readonly clock: Clock
  /** Called for each part that could not be read; fewer skills can be changed then, never more. */
  readonly onFailure?: (error: HermesError, operation: string) => void
}

export interface SkillShelfQuery {
  /** Names of the skills that the agent loaded, oldest first. */
  readonly loaded: readonly string[]
  /** Skills that were loaded in a turn in which a tool failed; they come first. Default none. */
  readonly failed?: readonly { readonly skill: string; readonly tool: string }[]
  /** The text of the conversation. */
  readonly conversation: string
  /** Maximum units (quarter tokens) of the text. */
  readonly maxUnits: number
  /** True: shows in full only texts that hold own words alone. */
  readonly ownOnly: boolean
}

type Judged = SkillListEntry & { readonly mark: ShelfMark }

/** The skills as read once, for all passes that need them. */
export interface ShelfSource {
  readonly skills: readonly Judged[]
  /** Reads each SKILL.md once. Undefined if it cannot be read or shown. */
  readonly readFull: (skill: Judged) => Promise<FullText | undefined>
}

interface FullText {
  readonly path: string
  readonly version: string
  readonly name: string
  readonly content: string
  readonly files: readonly string[]
  readonly isOwn: boolean
}

/** The list of skills takes at most 1/`LIST_SHARE` of the text. */
const LIST_SHARE = 4
/** Maximum number of skills listed with their description. */
const MAX_LISTED = 12
/** Units (quarter tokens) for the names of all others. */
const NAMES_UNITS = 1_600
/** Maximum number of skills read in full: loaded ones, and others related to the conversation. */
const MAX_LOADED = 10
const MAX_MATCHED = 2

const MARKS: Readonly<Record<SkillProtection, ShelfMark>> = {
  pinned: 'pinned by a person',
  bundled: 'came with the product',
  hub: 'installed from a hub',
  'not-agent-created': 'written by a person',
}

const judged = (entry: SkillListEntry, isShared: boolean, records: UsageRecords, marks: OwnershipMarks): Judged => {
  if (entry.sharedFrom !== undefined) return { ...entry, mark: 'shared with others' }
  const { protection } = judgeOwnership(entry, records.get(entry.name), marks)
  return { ...entry, mark: protection ? MARKS[protection] : isShared ? 'one of several of its name' : 'yours' }
}

/** Takes items in order while there is room; an item that is too large is skipped, and smaller ones after it may still fit. */
const fitting = <T>(
  items: readonly T[],
  textOf: (item: T) => string,
  maxUnits: number,
  isWanted: (text: string) => boolean,
): readonly T[] => {
  let left = maxUnits
  return items.filter((item) => {
    const text = textOf(item)
    const units = countUnits(text) + 1
    if (units > left || !isWanted(text)) return false
    left -= units
    return true
  })
}

const isSafe = (text: string): boolean => toScanParts(text).every((part) => scanThreats(part, 'context').length === 0)

/** Related skills first, then the rest; in each group, shared skills after those of the home. */
const ownFirst = (placed: readonly Placed<Judged>[]): readonly Placed<Judged>[] => {
  const rank = ({ skill, relevant }: Placed<Judged>) => (relevant ? 0 : 2) + (skill.sharedFrom === undefined ? 0 : 1)
  return placed.toSorted((a, b) => rank(a) - rank(b))
}

const readInFull = async (
  { store, onFailure }: ShelfSourceOptions,
  skill: Judged,
  record: UsageRecord | undefined,
): Promise<FullText | undefined> => {
  // The path of its SKILL.md identifies the skill unambiguously.
  const viewed = await store.view(`${skill.path}/${SKILL_FILE}`)
  if (!viewed.ok) {
    // The skill was archived after it was listed; not a failure.
    if (viewed.error.code !== 'not_found') onFailure?.(viewed.error, 'read skills')
    return undefined
  }
  const { name, content, linkedFiles, version } = viewed.value
  const isOwn = await isOwnText(record, SKILL_FILE, content)
  const full = { name, content, files: Object.values(linkedFiles).flat(), path: toDocumentPath(skill), version, isOwn }
  return canBeShown(full) ? full : undefined
}

/** Fails if the skills cannot be listed or their ownership cannot be determined. Reading for a review is not counted as use. */
export const readShelfSource = async (options: ShelfSourceOptions): Promise<Result<ShelfSource>> => {
  const { store, reader = store, usage, storage, clock, onFailure } = options
  const [listed, records, marks] = await Promise.all([reader.list(), usage.load(), readOwnershipMarks(storage, { clock })])
  if (!listed.ok) return listed
  if (!marks.ok) return marks
  if (!records.ok) onFailure?.(records.error, 'read skill usage')
  for (const problem of listed.value.problems) if (isSharedFailure(problem)) onFailure?.(problem, 'read shared skills')
  const known: UsageRecords = records.ok ? records.value : new Map()
  const shared = sharedNames(listed.value.skills)
  const skills = listed.value.skills.map((entry) => judged(entry, shared.has(entry.name), known, marks.value))
  const read = new Map<string, Promise<FullText | undefined>>()
  const readFull = (skill: Judged): Promise<FullText | undefined> => {
    const once = read.get(skill.path) ?? readInFull(options, skill, known.get(skill.name))
    read.set(skill.path, once)
    return once
  }
  return ok({ skills, readFull })
}

/** Skills to show in full: loaded ones, and the one or two most related to the conversation, if they may be changed. */
const candidatesAmong = (ordered: readonly Placed<Judged>[]): readonly Placed<Judged>[] => {
  const changeable = ordered.filter(({ skill, relevant }) => relevant && skill.mark === 'yours')
  return [
    ...changeable.filter(({ loaded }) => loaded).slice(0, MAX_LOADED),
    ...changeable.filter(({ loaded }) => !loaded).slice(0, MAX_MATCHED),
  ]
}

export const arrangeShelf = async ({ skills, readFull }: ShelfSource, query: SkillShelfQuery): Promise<SkillShelf> => {
  const { loaded, failed = [], conversation, maxUnits, ownOnly } = query
  const toolOf = new Map(failed.map(({ skill, tool }) => [skill, tool]))
  const ordered = ownFirst(shelfOrder(skills, [...loaded, ...toolOf.keys()], conversation))
  const heading = countUnits(describeLibrary({ lines: [], names: [''], leftOut: ordered.length, full: [''] })) + 1
  const room = Math.max(0, maxUnits - heading)
  const listRoom = Math.floor(room / LIST_SHARE)
  // Scanned only if there is room, since a library may be large.
  const described = ordered.filter(({ relevant }) => relevant).slice(0, MAX_LISTED)
  const listed = fitting(described, ({ skill }) => describeShelfSkill(skill), listRoom, isSafe)
  const lines = listed.map(({ skill }) => describeShelfSkill(skill))
  const linesSpent = lines.reduce((sum, line) => sum + countUnits(line) + 1, 0)
  const isListed = new Set(listed.map(({ skill }) => skill))
  const others = ordered.map(({ skill }) => skill).filter((skill) => !isListed.has(skill))
  const named = fitting(others, (skill) => `${describeNamedSkill(skill)},`, Math.min(NAMES_UNITS, listRoom - linesSpent), isSafe)
  const names = named.map(describeNamedSkill)
  const spent = linesSpent + names.reduce((sum, name) => sum + countUnits(name) + 2, 0)
  const read = await Promise.all(
    candidatesAmong(ordered).map(async ({ skill, loaded }) => {
      const full = await readFull(skill)
      return full && (full.isOwn || !ownOnly)
        ? [{ ...full, text: describeFullSkill({ ...full, loaded, failedTool: toolOf.get(full.name) }) }]
        : []
    }),
  )
  const full = fitting(read.flat(), ({ text }) => text, room - spent, isSafe)
  return {
    text: describeLibrary({ lines, names, leftOut: ordered.length - lines.length - names.length, full: full.map(({ text }) => text) }),
    shown: new Map(full.map(({ path, version }) => [path, version])),
  }
}

/** What of the skills a review may change, and which of them its turns have used: the documents that it was shown, and those that it has written since. */
export const changeable = (
  shelf: SkillShelf,
  {
    loadedSkills,
    failedUses,
  }: { readonly loadedSkills: readonly string[]; readonly failedUses: readonly (FailedTurn & { readonly skill: string })[] },
): Pick<WritableSkills, 'shown' | 'onWritten' | 'loaded' | 'failed'> => {
  const shown = new Map(shelf.shown)
  return {
    shown,
    onWritten: (path, version) => shown.set(path, version),
    loaded: new Set(loadedSkills),
    failed: new Map(failedUses.map((use) => [use.skill, use])),
  }
}
