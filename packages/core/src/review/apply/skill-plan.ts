/** What a review adds to a skill plan: the home's own skills only, text only, and no change of a name. Writes nothing. */
import { HermesError } from '../../shared/hermes-error.ts'
import { err, ok, type Result } from '../../shared/result.ts'
import { parseSkillDocument } from '../../skills/parse-skill-document.ts'
import type { SkillPlan as FilePlan } from '../../skills/plan-skill.ts'
import { decodeSkillText } from '../../skills/read-skill.ts'
import { SKILL_FILE, toDocumentPath } from '../../skills/skill-discovery.ts'
import { isSkillMissing } from '../../skills/skill-lookup.ts'
import type { SkillOp } from '../../skills/skill-op.ts'
import type { SkillReader } from '../../skills/skill-reader.ts'
import { fileTooLarge, type SkillView } from '../../skills/skill-view.ts'
import { MAX_SUPPORT_FILE_BYTES } from '../../skills/support-file.ts'
import type { SkillDisposeDeps } from './dispose-deps.ts'

/** The current state of a file. */
export interface SeenFile {
  readonly text: string
  /** Opaque, from the storage. */
  readonly version: string
}

export interface SkillPlan extends Pick<FilePlan, 'skill' | 'filePath' | 'skillVersion' | 'count'> {
  readonly op: SkillOp
  /** For the store, which carries it out. */
  readonly planned: FilePlan
  /** The file concerned; undefined if it does not exist yet. */
  readonly current: SeenFile | undefined
  /** The new text of the file; undefined for an operation that writes no text. */
  readonly next: string | undefined
}

/** The journal keeps previous contents as text, so a file that is not text could not be restored. */
const notText = (filePath: string, name: string): HermesError =>
  new HermesError(
    'unreadable',
    `'${filePath}' of the skill '${name}' is not text, so a change could not be undone. Use another file, or change that one by hand.`,
  )

/** A skill may not be renamed: counts, pins and authorship are stored under its name. */
const renames = ({ skill, filePath }: FilePlan, next: string | undefined): HermesError | undefined => {
  const name = next === undefined || filePath !== SKILL_FILE ? skill.name : parseSkillDocument(next, skill).name
  if (name === skill.name) return undefined
  const message = `This would rename the skill '${skill.name}' to '${name.slice(0, 80)}', and its usage counts would be lost. Keep the name in the front matter; for another name create a new skill and archive this one.`
  return new HermesError('invalid', message, { details: { name: skill.name } })
}

/** The error for a skill that the home does not have. If it is a shared skill, `refuse` gives the reason. */
const missingOrShared = async (
  name: string,
  reader: SkillReader | undefined,
  missing: HermesError,
  refuse: (shared: SkillView) => HermesError,
): Promise<HermesError> => {
  if (!reader || !isSkillMissing(missing)) return missing
  const seen = await reader.view(name)
  return seen.ok && seen.value.sharedFrom !== undefined ? refuse(seen.value) : missing
}

const readOnly = ({ name }: SkillView): HermesError =>
  new HermesError(
    'read_only',
    `The skill '${name}' is shared and read-only here, so it stays as it is. To change it, create a skill of this name with the whole text: it takes the shared one's place.`,
    { details: { name } },
  )

const sharedAbsorber = ({ name }: SkillView): HermesError =>
  new HermesError('read_only', `The skill '${name}' is shared, so it cannot absorb a skill of this home. Archive without naming it.`, {
    details: { name },
  })

type Skills = Pick<SkillDisposeDeps, 'store' | 'reader'>

const checkAbsorber = async (op: SkillOp, { store, reader }: Skills, { skill }: FilePlan): Promise<HermesError | undefined> => {
  if (op.action !== 'archive' || op.absorbedInto === undefined) return undefined
  const absorber = await store.view(op.absorbedInto)
  if (!absorber.ok) return missingOrShared(op.absorbedInto, reader, absorber.error, sharedAbsorber)
  if (absorber.value.path !== skill.path) return undefined
  return new HermesError('invalid', `The skill '${skill.name}' cannot be absorbed into itself. Name the skill that holds its content now.`)
}

const readCurrent = ({ skill, filePath, current }: FilePlan): Result<SeenFile | undefined> => {
  if (!current) return ok(undefined)
  const { bytes, version } = current
  if (bytes.length > MAX_SUPPORT_FILE_BYTES) return err(fileTooLarge(toDocumentPath(skill, filePath), bytes.length))
  const text = decodeSkillText(bytes)
  return text === undefined ? err(notText(filePath, skill.name)) : ok({ text, version })
}

/**
 * Errors are the store's own (`not_found`, `ambiguous`, `occupied`, `invalid`, `unreadable`, `over_limit`, patch errors), and `read_only`
 * for a shared skill.
 */
export const planSkillChange = async (op: SkillOp, skills: Skills): Promise<Result<SkillPlan>> => {
  const made = await skills.store.plan(op)
  if (!made.ok) return err(await missingOrShared(op.name, skills.reader, made.error, readOnly))
  const planned = made.value
  const { skill, filePath, skillVersion, count } = planned
  const current = readCurrent(planned)
  if (!current.ok) return current
  const next = planned.next && decodeSkillText(planned.next)
  const unfit = renames(planned, next) ?? (await checkAbsorber(op, skills, planned))
  if (unfit) return err(unfit)
  return ok({ op, planned, skill, filePath, skillVersion, current: current.value, next, ...(count === undefined ? {} : { count }) })
}
