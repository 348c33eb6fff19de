/** Adds the new skills of an export. An existing skill with the same name stays unchanged; if its content differs, the skill of the export is refused. */
import { toSkillRecord } from '../journal/host-writes.ts'
import { HermesError } from '../shared/hermes-error.ts'
import { err, ok, type Result } from '../shared/result.ts'
import { listArchive } from '../skills/archive.ts'
import { isSkillSeenAt } from '../skills/skill-discovery.ts'
import { namesOf, SkillIndex, type SkillSurvey } from '../skills/skill-index.ts'
import { categoryConflict, isSameName, nameTaken } from '../skills/skill-lookup.ts'
import { isBelow } from '../storage/document-tree.ts'
import { type ExportedSkill, toExportedSkills } from './exported-skill.ts'
import { createScanner, endsImport, IMPORTED, type ImportContext, invalidImport } from './import-context.ts'
import { bringUsage, type ExportedUsage } from './import-usage.ts'
import { admitSkill } from './judge-outside-skill.ts'
import { type CheckedSkill, checkExportedSkill, compareSkill, documentsBelow, writeSkill } from './place-skill.ts'

type Placed = 'added' | 'alreadyThere'

const RENAME = { name: 'It was left unchanged. Rename or archive it, then import again.' }

const differs = (skill: CheckedSkill): HermesError =>
  new HermesError(
    'occupied',
    `'skills/${skill.folder.path}' has other files in this home, which were left unchanged. Rename or archive that skill, then import again.`,
  )

/** A snapshot of the skills of the home. */
interface Library {
  readonly survey: SkillSurvey
  /** Document paths by skill folder. */
  readonly files: ReadonlyMap<string, readonly string[]>
}

const surveyLibrary = async (index: SkillIndex): Promise<Result<Library>> => {
  const surveyed = await index.survey()
  if (!surveyed.ok) return surveyed
  const { live } = toExportedSkills(surveyed.value.documents.map(({ path }) => path))
  return ok({ survey: surveyed.value, files: new Map(live.map(({ folder, files }) => [folder.path, files])) })
}

/** Looks for a skill of the same name in any folder. `undefined` if there is none; fails with `occupied` if its content differs. */
const findAtHome = async (context: ImportContext, skill: CheckedSkill, { survey, files }: Library): Promise<Result<Placed | undefined>> => {
  const wanted = [skill.document.name, skill.folder.folderName]
  const named = survey.skills.filter((other) => [...namesOf(other)].some((name) => wanted.some((each) => isSameName(each, name))))
  if (named.length === 0) return ok(undefined)
  for (const { folder } of named) {
    const compared = await compareSkill(context.storage, skill, files.get(folder.path) ?? [], folder.path)
    if (!compared.ok) return compared
    if (compared.value === 'same') return ok('alreadyThere')
  }
  return err(
    nameTaken(
      skill.document.name,
      named.map(({ folder }) => folder),
      RENAME,
    ),
  )
}

/** Succeeds if the folder is empty or holds only files of an interrupted import. */
const checkPlace = async (
  context: ImportContext,
  skill: CheckedSkill,
  survey: SkillSurvey,
  together: ReadonlySet<string>,
): Promise<Result<void>> => {
  const { folder, document } = skill
  if (!isSkillSeenAt(folder.path, survey.documents))
    return err(invalidImport(`'skills/${folder.path}' is in a folder that is not searched for skills.`))
  const inside = together.has(folder.category ?? '')
    ? undefined
    : categoryConflict({ folder, name: document.name }, survey, 'Import it into another home.')
  if (inside) return err(inside)
  const compared = await compareSkill(context.storage, skill, documentsBelow(skill, survey.documents, context.contents), folder.path)
  if (!compared.ok) return compared
  return compared.value === 'nothing' || compared.value === 'begun' ? ok(undefined) : err(differs(skill))
}

const createSkill = async (
  context: ImportContext,
  library: Library,
  skill: CheckedSkill,
  usage: ExportedUsage,
  together: ReadonlySet<string>,
): Promise<Result<Placed>> => {
  const found = await findAtHome(context, skill, library)
  if (!found.ok) return found
  if (found.value) return ok(found.value)
  const free = await checkPlace(context, skill, library.survey, together)
  if (!free.ok) return free
  const written = await writeSkill(context.storage, skill, () => bringUsage(context, usage, skill.document.name))
  if (!written.ok) return written
  const { name } = skill.document
  const op = {
    action: 'create',
    name,
    ...(skill.folder.category === undefined ? {} : { category: skill.folder.category }),
    content: skill.text,
  } as const
  await context.record([{ ...toSkillRecord({ kind: 'changed', op, before: undefined }, context.actor), reason: IMPORTED }])
  return ok('added')
}

/** Skills of one batch. */
const MAX_TOGETHER = 16
const MAX_FILES_TOGETHER = 64

const namesIn = ({ document, folder }: CheckedSkill): readonly string[] => [document.name, folder.folderName]

/** A skill that has the name of another, or is inside it, must be placed in a later batch. */
const dependsOn = (skill: CheckedSkill, other: CheckedSkill): boolean =>
  isBelow(skill.folder.path.toLowerCase(), other.folder.path.toLowerCase()) ||
  namesIn(skill).some((name) => namesIn(other).some((each) => isSameName(name, each)))

const fitsInto = (batch: readonly CheckedSkill[], skill: CheckedSkill): boolean =>
  batch.length < MAX_TOGETHER &&
  [...batch, skill].reduce((files, { contents }) => files + contents.size, 0) <= MAX_FILES_TOGETHER &&
  !batch.some((other) => dependsOn(skill, other))

type Settle = (skill: ExportedSkill, placed: Result<Placed>) => Result<void>

/** Surveys the library anew, then creates each. */
const createTogether = async (
  batch: readonly CheckedSkill[],
  lookAround: () => Promise<Result<Library>>,
  create: (skill: CheckedSkill, library: Library) => Promise<Result<Placed>>,
  settle: Settle,
): Promise<Result<void>> => {
  if (batch.length === 0) return ok(undefined)
  const library = await lookAround()
  for (const skill of batch) {
    const settled = settle(skill, library.ok ? await create(skill, library.value) : library)
    if (!settled.ok) return settled
  }
  return ok(undefined)
}

const putAwayHere = (name: string, id: string): HermesError =>
  new HermesError(
    'occupied',
    `'${name}' is archived in this home as '${id}' and was left there. Restore or rename that skill, then import again.`,
  )

/** The library is surveyed once at the start and again for each batch of new skills. */
export const importSkills = async (
  context: ImportContext,
  exported: readonly ExportedSkill[],
  usage: ExportedUsage,
): Promise<Result<void>> => {
  const { storage, tally, contents } = context
  const index = new SkillIndex(storage)
  const library = await surveyLibrary(index)
  if (!library.ok) return library
  const archive = await listArchive(storage, index, library.value.survey.documents)
  const scanner = createScanner()
  const together = new Set(exported.map(({ folder }) => folder.path))

  /** The checked skill, if it is new in this home. */
  const checkOne = async (skill: ExportedSkill): Promise<Result<CheckedSkill | 'alreadyThere'>> => {
    const checked = await checkExportedSkill(skill, contents, scanner)
    if (!checked.ok) return checked
    const found = await findAtHome(context, checked.value, library.value)
    if (!found.ok || found.value) return found.ok ? ok('alreadyThere') : found
    const { name } = checked.value.document
    const away = archive.entries.find((entry) => isSameName(entry.name, name))
    return away ? err(putAwayHere(name, away.id)) : checked
  }

  const settle: Settle = (skill, placed) => {
    if (placed.ok) tally[placed.value]('skills')
    else if (endsImport(placed.error)) return placed
    else tally.refused('skills', `skills/${skill.folder.path}`, placed.error)
    return ok(undefined)
  }

  let batch: CheckedSkill[] = []
  const createBatch = async (): Promise<Result<void>> => {
    const skills = batch
    batch = []
    return createTogether(
      skills,
      () => surveyLibrary(index),
      (skill, seen) => createSkill(context, seen, skill, usage, together),
      settle,
    )
  }

  for (const skill of exported) {
    const checked = await checkOne(skill)
    if (!checked.ok || checked.value === 'alreadyThere') {
      const settled = settle(skill, checked.ok ? ok('alreadyThere') : checked)
      if (!settled.ok) return settled
      continue
    }
    const admitted = await admitSkill('skills', checked.value, skill.folder.category, context)
    if (!admitted.ok) return admitted
    if (!admitted.value) continue
    const created = fitsInto(batch, checked.value) ? ok(undefined) : await createBatch()
    if (!created.ok) return created
    batch.push(checked.value)
  }
  return createBatch()
}
