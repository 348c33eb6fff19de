/**
 * Carries a merge out in one update: the umbrella's text and files, the move of its sources to the archive, the counts and the journal's lines. It is refused if a file
 * is not the one that the model saw, or if a skill is not the agent's any more.
 */
import type { JournalRecordInput } from '../../journal/journal.ts'
import type { HeldMergeSource } from '../../journal/pending-proposal.ts'
import { readOwnershipMarks } from '../../ownership/skill-ownership.ts'
import type { HermesError } from '../../shared/hermes-error.ts'
import { ok, type Result } from '../../shared/result.ts'
import type { ArchivedSkill } from '../../skills/archive.ts'
import { SKILL_FILE, SKILLS_FOLDER } from '../../skills/skill-discovery.ts'
import type { SkillStore } from '../../skills/skill-store.ts'
import { documentVersion } from '../../storage/document-version.ts'
import { inTransaction } from '../../storage/in-transaction.ts'
import { orError } from '../../storage/one-document.ts'
import type { StorageBackend } from '../../storage/storage-backend.ts'
import { checkNothingAside } from '../../usage/usage-sidecar.ts'
import { type CuratorHome, journalAt } from '../curator-home.ts'
import type { ShownSkill } from './library.ts'
import { drift, type Facts, type Merge, type PlannedMerge, pathsOf, planMerge } from './plan-merge.ts'
import type { PreparedUmbrella } from './prepare.ts'

/** A skill that is archived, without the files beside its text. */
export const toSource = ({ name, path, bytes }: ShownSkill, reason: string): HeldMergeSource => ({
  ...{ name, path, reason },
  files: [{ path: SKILL_FILE, version: documentVersion({ bytes }) }],
})

export const toMerge = (prepared: PreparedUmbrella, model: string | undefined): Merge => {
  const { folder, before, content, writes, sources, createdBy } = prepared
  const { name, path } = folder
  const bytesOf = (to: string): Uint8Array => writes.find(({ filePath }) => filePath === to)?.bytes ?? new Uint8Array()
  const files = writes.map(({ filePath: path, ...content }) => ({ path, ...content }))
  return {
    umbrella: { name, path, base: before?.version ?? null, content, files, createdBy, model },
    sources: sources.map(({ skill, reason, carried }) => {
      const source = toSource(skill, reason === '' ? `merged into '${name}'` : reason)
      const beside = carried.map(({ from, to }) => ({ path: from, version: documentVersion({ bytes: bytesOf(to) }) }))
      return { ...source, files: [...source.files, ...beside] }
    }),
  }
}

const namesOf = async (skills: Pick<SkillStore, 'list'>): Promise<Result<ReadonlySet<string>>> => {
  const listed = await skills.list()
  return listed.ok
    ? ok(new Set(listed.value.skills.flatMap(({ name, folderName }) => [name.toLowerCase(), folderName.toLowerCase()])))
    : listed
}

export const readFacts = async (over: StorageBackend, skills: Pick<SkillStore, 'list'>, now: number): Promise<Result<Facts>> => {
  const listed = await over.list(SKILLS_FOLDER)
  if (!listed.ok) return listed
  const settled = await checkNothingAside(over)
  if (!settled.ok) return settled
  const marks = await readOwnershipMarks(over, { clock: () => now })
  if (!marks.ok) return marks
  const taken = await namesOf(skills)
  return taken.ok ? ok({ marks: marks.value, taken: taken.value, now }) : taken
}

/** For the journal: the files that a merge puts beside the text of an umbrella that exists, without the `recorded` ones. A new umbrella is archived with all its files. */
export const filesBeside = (
  { umbrella }: Merge,
  recorded: readonly { readonly path: string }[] = [],
): Pick<JournalRecordInput, 'files'> => {
  const files = umbrella && umbrella.base !== null ? umbrella.files.filter(({ path }) => !recorded.some((one) => one.path === path)) : []
  return files.length === 0 ? {} : { files: files.map(({ path, ...content }) => ({ path, version: documentVersion(content) })) }
}

/** Refusals that concern this merge only; any other error comes from the storage. */
const OWN_REFUSALS: readonly HermesError['code'][] = ['drift', 'occupied', 'invalid', 'invalid_path', 'rejected', 'not_found', 'unreadable']

export type MergeOutcome =
  | { readonly done: false; readonly why: string }
  | { readonly done: true; readonly archived: PlannedMerge['archived'] }

/** Where the content of a skill is from now on. */
export const absorbedOp = (name: string, into: string, { id }: ArchivedSkill) => ({
  op: { action: 'archive', name, absorbedInto: into } as const,
  reason: `Its content is now part of '${into}'. It is archived as '${id}'.`,
})

/** `records`: the journal's lines for the skills that were archived. An error comes from the storage. */
export const carryOutMerge = async (
  home: CuratorHome,
  merge: Merge,
  records: (archived: PlannedMerge['archived']) => readonly JournalRecordInput[],
): Promise<Result<MergeOutcome>> => {
  const now = home.clock()
  const journal = journalAt(home, now)
  let planned: Result<PlannedMerge> = drift('Nothing was merged.')
  const written = await orError(() =>
    inTransaction(
      home.storage,
      (over) => readFacts(over, home.skills, now),
      (facts) => ({
        paths: [...pathsOf(merge), journal.path],
        plan: (cut) => {
          planned = planMerge(cut, merge, facts)
          if (!planned.ok) return { value: undefined }
          return { ...planned.value.plan, append: journal.append(records(planned.value.archived)), value: undefined }
        },
      }),
    ),
  )
  const outcome: Result<PlannedMerge> = written.ok ? planned : written
  if (outcome.ok) return ok({ done: true, archived: outcome.value.archived })
  return OWN_REFUSALS.includes(outcome.error.code) ? ok({ done: false, why: outcome.error.message }) : outcome
}
