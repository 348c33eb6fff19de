/** The groups of skills to ask about: skills that may belong together and have changed since the last question, which is remembered. */
import * as z from 'zod/mini'
import { fingerprint } from '../../shared/fingerprint.ts'
import type { HermesError } from '../../shared/hermes-error.ts'
import { ok, type Result } from '../../shared/result.ts'
import { libraryDocument, readJsonDocument, updateJsonDocument } from '../../storage/json-document.ts'
import type { StorageBackend } from '../../storage/storage-backend.ts'
import { CURATOR_FOLDER } from '../../storage/storage-paths.ts'
import { type ClusterSubject, clusterSkills } from './clusters.ts'
import { type MergeableSkill, readConsolidationLibrary, readShown, type SkillHome } from './library.ts'
import { CONSOLIDATION_PROMPT_VERSION } from './prompt.ts'

const CONSOLIDATION_STATE_PATH = `${CURATOR_FOLDER}/consolidation.json`

/** When exceeded, the oldest are dropped. */
const MAX_SETTLED = 500

/** Failed questions about a group in a row before it is skipped, unless its skills change. */
const MAX_FAILURES = 2

/** Milliseconds after which a group that failed is tried again: the model or the gate may have changed. */
const FAILURES_LAPSE_MS = 30 * 24 * 60 * 60 * 1000

const shape = z.object({
  version: z.literal(1),
  settled: z.array(
    z.object({
      mark: z.string(),
      /** Epoch milliseconds. */
      at: z.number(),
      /** Answers that were missing, unreadable or refused. 0: answered. */
      failures: z.number(),
    }),
  ),
})

const schema = libraryDocument(shape)

type State = z.infer<typeof shape>

/** Keyed by mark. */
type SettledGroups = ReadonlyMap<string, number>

/** Hash of a skill's name, place, text and files. */
const markOfSkill = ({ path, name, files }: MergeableSkill, text: string): string =>
  fingerprint(JSON.stringify([path, name, text, files.map((file) => [file.path, file.size])]))

/** Hash of a group, independent of its order; includes the version of the prompt. */
const markOfGroup = (marks: readonly string[]): string => fingerprint([String(CONSOLIDATION_PROMPT_VERSION), ...marks.toSorted()].join(' '))

const counts = ({ failures, at }: State['settled'][number], now: number): boolean => failures === 0 || now - at < FAILURES_LAPSE_MS

/** `now` in epoch milliseconds. */
const readSettled = async (storage: StorageBackend, now: number): Promise<Result<SettledGroups>> => {
  const state = await readJsonDocument(storage, CONSOLIDATION_STATE_PATH, schema)
  if (!state.ok) return state
  const settled = state.value?.settled.filter((each) => counts(each, now)) ?? []
  return ok(new Map(settled.map(({ mark, failures }) => [mark, failures] as const)))
}

const isSettled = (settled: SettledGroups, mark: string): boolean => {
  const failures = settled.get(mark)
  return failures === 0 || (failures !== undefined && failures >= MAX_FAILURES)
}

/** Records an answer, or one more failure. */
export const settleGroups = async (
  storage: StorageBackend,
  marks: readonly string[],
  answered: boolean,
  at: number,
): Promise<Result<void>> => {
  const fresh = new Set(marks)
  const written = await updateJsonDocument(storage, CONSOLIDATION_STATE_PATH, schema, (current): State => {
    const before = current?.settled.filter((each) => counts(each, at)) ?? []
    const failuresOf = (mark: string): number => before.find((each) => each.mark === mark)?.failures ?? 0
    const added = [...fresh].map((mark) => ({ mark, at, failures: answered ? 0 : failuresOf(mark) + 1 }))
    return { version: 1, settled: [...before.filter(({ mark }) => !fresh.has(mark)), ...added].slice(-MAX_SETTLED) }
  })
  return written.ok ? ok(undefined) : written
}

export interface ConsolidationGroup {
  readonly label: string
  /** Names of its skills, the most central first. */
  readonly names: readonly string[]
  readonly mark: string
}

interface ConsolidationGroups {
  /** The best first. */
  readonly due: readonly ConsolidationGroup[]
  readonly unchanged: number
  /** Earlier answers cannot be read: every group is asked about again. */
  readonly problem: HermesError | undefined
}

/** Maximum number of texts in memory at once. */
const READ_AT_ONCE = 64
const MAX_HEADINGS = 40

interface Known {
  readonly skill: MergeableSkill
  readonly subject: ClusterSubject
  readonly mark: string
}

const headingsOf = (text: string): readonly string[] =>
  [...text.matchAll(/^#{1,4}[ \t]+(.+)$/gm)].slice(0, MAX_HEADINGS).map(([, heading = '']) => heading)

/** Keeps the words and marks of the skills, not their texts. */
const readKnown = async ({ storage }: SkillHome, skills: readonly MergeableSkill[]): Promise<Result<readonly Known[]>> => {
  const known: Known[] = []
  for (let start = 0; start < skills.length; start += READ_AT_ONCE) {
    const read = await readShown(storage, skills.slice(start, start + READ_AT_ONCE))
    if (!read.ok) return read
    for (const { text, bytes: _bytes, version: _version, ...skill } of read.value) {
      const { path, name, description } = skill
      known.push({ skill, subject: { path, name, description, headings: headingsOf(text) }, mark: markOfSkill(skill, text) })
    }
  }
  return ok(known)
}

/** A group without any skill that may be archived is left out. */
export const readGroups = async (deps: SkillHome): Promise<Result<ConsolidationGroups>> => {
  const library = await readConsolidationLibrary(deps)
  if (!library.ok) return library
  const known = await readKnown(deps, [...library.value.mergeable.values()])
  if (!known.ok) return known
  const settled = await readSettled(deps.storage, deps.clock())
  const byPath = new Map(known.value.map((each) => [each.subject.path, each]))
  const groups = clusterSkills(known.value.map(({ subject }) => subject)).flatMap(({ label, paths }) => {
    const members = paths.flatMap((path) => byPath.get(path) ?? [])
    if (members.every(({ skill }) => skill.mustStay !== undefined)) return []
    return [{ label, names: members.map(({ skill }) => skill.name), mark: markOfGroup(members.map(({ mark }) => mark)) }]
  })
  const due = groups.filter(({ mark }) => !(settled.ok && isSettled(settled.value, mark)))
  return ok({ due, unchanged: groups.length - due.length, problem: settled.ok ? undefined : settled.error })
}

/** The mark of what is left of a group, which is not sent again either unless it changes. */
export const marksOfRest = async (home: SkillHome, names: readonly string[]): Promise<readonly string[]> => {
  const library = await readConsolidationLibrary(home)
  if (!library.ok) return []
  const left = await readShown(
    home.storage,
    names.flatMap((name) => library.value.mergeable.get(name) ?? []),
  )
  return left.ok && left.value.length > 1 ? [markOfGroup(left.value.map((skill) => markOfSkill(skill, skill.text)))] : []
}
