/** Writes a held skill change with the authority of the person who approved it: the gate is not asked, all other checks apply. */
import { refuseSkillText } from '../../gate/skill-text.ts'
import type { HeldSkillFile, PendingSkillProposal } from '../../journal/pending-proposal.ts'
import { fromBase64 } from '../../shared/base64.ts'
import { HermesError } from '../../shared/hermes-error.ts'
import { isOwnOrigin } from '../../shared/origin.ts'
import { err, ok, type Result } from '../../shared/result.ts'
import { SKILL_FILE, type SkillFolder, toDocumentPath } from '../../skills/skill-discovery.ts'
import type { SkillOpOutcome } from '../../skills/skill-op.ts'
import { UNCHANGED, updateDocument } from '../../storage/one-document.ts'
import type { StorageBackend } from '../../storage/storage-backend.ts'
import { checkStoragePath } from '../../storage/storage-paths.ts'
import type { WritableSkills } from './disposal-options.ts'
import { writeSkill } from './dispose-skill.ts'
import { planSkillChange, type SkillPlan, whyProtected } from './skill-plan.ts'

const placeOf = (folder: Pick<SkillFolder, 'path'>, inside: string): Result<string> =>
  inside.split('/').some((segment) => segment.toLowerCase() === SKILL_FILE.toLowerCase())
    ? err(new HermesError('invalid_path', `'${inside.slice(0, 80)}' cannot be a file of a skill.`))
    : checkStoragePath(toDocumentPath(folder, inside))

/** `invalid_path` if a file does not belong into the folder of a skill. */
const checkHeldFiles = (files: readonly HeldSkillFile[], folder: Pick<SkillFolder, 'path'>): Result<void> => {
  const wrong = files.map(({ path }) => placeOf(folder, path)).find((place) => !place.ok)
  return wrong && !wrong.ok ? wrong : ok(undefined)
}

/** A file that exists stays as it is. */
const writeHeldFiles = async (
  files: readonly HeldSkillFile[],
  folder: Pick<SkillFolder, 'path'>,
  storage: StorageBackend,
): Promise<Result<void>> => {
  for (const { path: inside, text = '', base64, executable = false } of files) {
    const bytes = base64 === undefined ? new TextEncoder().encode(text) : fromBase64(base64)
    const written = await updateDocument(storage, toDocumentPath(folder, inside), (current) =>
      current ? UNCHANGED : { bytes, executable },
    )
    if (!written.ok) return written
  }
  return ok(undefined)
}

/** A patch whose new text contains the old one would match again: the same change may have been made since it was held. */
const isThereAlready = ({ op, current }: SkillPlan): boolean =>
  op.action === 'patch' && op.newText.includes(op.oldText) && current?.text.includes(op.newText) === true

/** A patch is located anew; a whole text may replace only the version that it was proposed for. */
const driftedFrom = (plan: SkillPlan, base: string | null): HermesError | undefined => {
  const { op, skill, filePath, current } = plan
  if (op.action === 'create' || (current?.version ?? null) === base) return undefined
  const path = toDocumentPath(skill, filePath)
  const drift = (message: string) => new HermesError('drift', message, { details: { path } })
  if (op.action === 'patch')
    return isThereAlready(plan)
      ? drift(`'${path}' already contains the proposed text, so it was not added again. Reject the proposal.`)
      : undefined
  return drift(
    `'${path}' has changed since this was proposed, so it was not overwritten. Reject the proposal; a change that is still needed will be proposed again.`,
  )
}

const writeText = async (held: PendingSkillProposal, skills: WritableSkills): Promise<Result<SkillOpOutcome>> => {
  const [op] = held.ops
  if (op === undefined) return err(new HermesError('empty', 'This proposal contains no operation. Reject it.'))
  const planned = await planSkillChange(op, skills)
  if (!planned.ok) return planned
  const drifted = driftedFrom(planned.value, held.base)
  if (drifted) return err(drifted)
  const refused = refuseSkillText(planned.value)
  if (refused !== undefined) return err(new HermesError('blocked', refused))
  const placed = checkHeldFiles(held.files ?? [], planned.value.skill)
  if (!placed.ok) return placed
  const protection = await whyProtected(planned.value, skills, 'person')
  if (!protection.ok) return protection
  if (protection.value !== undefined) return err(new HermesError('rejected', protection.value))
  const fromOwnWords = isOwnOrigin(held.origin)
  const isAgents = held.files === undefined
  const { rationale: reason, model, project } = held
  return writeSkill(planned.value, skills, { reason, model, fromOwnWords, isAgents, project })
}

/**
 * Over the transaction of the decision, which commits nothing on an error. Errors: `read_only` for a shared skill; `rejected` if the skill may not be archived;
 * `blocked` if no skill may hold the text; `drift` if the file has changed since.
 */
export const applyApprovedSkill = async (held: PendingSkillProposal, skills: WritableSkills): Promise<Result<SkillOpOutcome>> => {
  const written = await writeText(held, skills)
  if (!written.ok || held.files === undefined) return written
  const complete = await writeHeldFiles(held.files, written.value, skills.storage)
  return complete.ok ? written : complete
}
