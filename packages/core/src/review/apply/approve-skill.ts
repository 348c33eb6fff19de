/** Writes a held skill change with the authority of the person who approved it: the gate is not asked, all other checks apply. */
import type { PendingSkillProposal } from '../../journal/pending-proposal.ts'
import { HermesError } from '../../shared/hermes-error.ts'
import { isOwnOrigin } from '../../shared/origin.ts'
import { err, ok, type Result } from '../../shared/result.ts'
import { toDocumentPath } from '../../skills/skill-discovery.ts'
import type { SkillOpOutcome } from '../../skills/skill-op.ts'
import type { DisposeDeps, SkillDisposeDeps } from './dispose-deps.ts'
import { checkHeldFiles, findBegun, writeHeldFiles } from './held-skill-files.ts'
import { refuseSkillText, whyProtected } from './skill-permission.ts'
import { planSkillChange, type SkillPlan } from './skill-plan.ts'
import { writeSkill } from './write-skill.ts'

/** A patch whose new text contains the old one would match again: an approval that was interrupted before its entry left the queue must not repeat it. */
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

const writeText = async (
  held: PendingSkillProposal,
  skills: SkillDisposeDeps,
  { onFailure }: Pick<DisposeDeps, 'onFailure'>,
): Promise<Result<SkillOpOutcome>> => {
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
  const { rationale: reason, model } = held
  return writeSkill(planned.value, skills, { reason, model, fromOwnWords, isAgents, ...(onFailure ? { onFailure } : {}) })
}

/**
 * Errors: `read_only` for a shared skill; `rejected` if the skill may not be archived; `blocked` if no skill may hold the text; `drift` if the file has
 * changed since.
 */
export const applyApprovedSkill = async (
  held: PendingSkillProposal,
  skills: SkillDisposeDeps,
  deps: Pick<DisposeDeps, 'onFailure'> = {},
): Promise<Result<SkillOpOutcome>> => {
  const begun = await findBegun(held, skills)
  const written = begun ? ok(begun) : await writeText(held, skills, deps)
  if (!written.ok || held.files === undefined) return written
  const complete = await writeHeldFiles(held.files, written.value, skills.storage)
  return complete.ok ? written : complete
}
