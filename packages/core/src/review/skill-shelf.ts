/** What a review of skills is shown: a line for each, and in full those it may patch; read before write (reference skills-curator 6 and 13). */
import { type CustodyMarks, readCustodyMarks } from '../custody/custody-marks.ts'
import { judgeCustody, type SkillProtection } from '../custody/skill-custody.ts'
import { toScanParts } from '../memory/scan-parts.ts'
import { scanThreats } from '../memory/threats/threat-scan.ts'
import { countUnits } from '../model/token-estimate.ts'
import type { Clock } from '../shared/clock.ts'
import type { HermesError } from '../shared/hermes-error.ts'
import { ok, type Result } from '../shared/result.ts'
import { SKILL_FILE, toDocumentPath } from '../skills/skill-discovery.ts'
import type { SkillListEntry } from '../skills/skill-listing.ts'
import type { UsageRecords } from '../usage/usage-store.ts'
import { canBeShown, describeFullSkill, describeLibrary, describeShelfSkill, type ShelfMark } from './prompts/describe-skills.ts'
import { sharedNames } from './shared-names.ts'
import { type Placed, shelfOrder } from './shelf-order.ts'
import type { SkillDisposal } from './skill-disposal.ts'

export interface SkillShelf {
  /** For the reviewer's request. */
  readonly text: string
  /** Document path → version, of what stands in the text in full: nothing else may be changed. */
  readonly shown: ReadonlyMap<string, string>
}

export interface SkillShelfOptions extends Pick<SkillDisposal, 'store' | 'usage' | 'storage'> {
  readonly clock: Clock
  /** Names of the skills that the agent loaded, oldest first. */
  readonly loaded: readonly string[]
  /** What was said. */
  readonly conversation: string
  /** Quarter tokens of the text. */
  readonly maxUnits: number
  /** Hears of what could not be read; then fewer skills can be changed, never more. */
  readonly onFailure?: (error: HermesError, operation: string) => void
}

type Judged = SkillListEntry & { readonly mark: ShelfMark }

/** The names take no more of the text than this part. */
const LIST_SHARE = 4
/** Skills read in full, at the most. */
const MAX_READ = 12

const MARKS: Readonly<Record<SkillProtection, ShelfMark>> = {
  pinned: 'pinned by a person',
  bundled: 'came with the product',
  hub: 'installed from a hub',
  'not-agent-created': 'written by a person',
}

const judged = (entry: SkillListEntry, isShared: boolean, records: UsageRecords, marks: CustodyMarks): Judged => {
  const { protection } = judgeCustody(entry, records.get(entry.name), marks)
  return { ...entry, mark: protection ? MARKS[protection] : isShared ? 'one of several of its name' : 'yours' }
}

/** Taken in order, as long as there is room; what is too large lets smaller ones behind it in. */
const fitting = <T>(items: readonly T[], textOf: (item: T) => string, maxUnits: number, isWanted: (item: T) => boolean): readonly T[] => {
  let left = maxUnits
  return items.filter((item) => {
    const units = countUnits(textOf(item)) + 1
    if (units > left || !isWanted(item)) return false
    left -= units
    return true
  })
}

const isSafe = (text: string): boolean => toScanParts(text).every((part) => scanThreats(part, 'context').length === 0)

const readInFull = async ({ store, onFailure }: SkillShelfOptions, { skill, loaded }: Placed<Judged>) => {
  // By the path of its SKILL.md, which names one skill for certain.
  const viewed = await store.view(`${skill.path}/${SKILL_FILE}`)
  if (!viewed.ok) {
    // Put away since it was listed: that is no failure.
    if (viewed.error.code !== 'not_found') onFailure?.(viewed.error, 'read skills')
    return []
  }
  const { name, content, linkedFiles, version } = viewed.value
  const full = { name, loaded, content, files: Object.values(linkedFiles).flat() }
  return canBeShown(full) ? [{ path: toDocumentPath(skill), version, text: describeFullSkill(full) }] : []
}

/** Fails where the skills cannot be listed, or where nobody can say whose they are. Reading for a review is no use of a skill, and is not counted. */
export const readSkillShelf = async (options: SkillShelfOptions): Promise<Result<SkillShelf>> => {
  const { store, usage, storage, clock, loaded, conversation, maxUnits, onFailure } = options
  const [listed, records, marks] = await Promise.all([store.list(), usage.load(), readCustodyMarks(storage, { clock })])
  if (!listed.ok) return listed
  if (!marks.ok) return marks
  if (!records.ok) onFailure?.(records.error, 'read skill usage')
  const known: UsageRecords = records.ok ? records.value : new Map()
  const shared = sharedNames(listed.value.skills)
  const skills = listed.value.skills.map((entry) => judged(entry, shared.has(entry.name), known, marks.value))
  const ordered = shelfOrder(skills, loaded, conversation)

  const heading = countUnits(describeLibrary([], ordered.length, [''])) + 1
  const room = Math.max(0, maxUnits - heading)
  const all = ordered.map(({ skill }) => describeShelfSkill(skill))
  // Scanned only if there is room for it: a library may be large.
  const lines = fitting(all, (line) => line, Math.floor(room / LIST_SHARE), isSafe)
  const spent = lines.reduce((sum, line) => sum + countUnits(line) + 1, 0)
  const candidates = ordered.filter(({ skill, relevant }) => relevant && skill.mark === 'yours').slice(0, MAX_READ)
  const read = (await Promise.all(candidates.map((placed) => readInFull(options, placed)))).flat()
  const full = fitting(
    read,
    ({ text }) => text,
    room - spent,
    ({ text }) => isSafe(text),
  )
  return ok({
    text: describeLibrary(
      lines,
      ordered.length - lines.length,
      full.map(({ text }) => text),
    ),
    shown: new Map(full.map(({ path, version }) => [path, version])),
  })
}
