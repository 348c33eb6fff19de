/** Writes a planned skill change, on exactly the file version that was judged, and counts it. */
import { HermesError } from '../../shared/hermes-error.ts'
import { err, ok, type Result } from '../../shared/result.ts'
import { sha256OfText } from '../../shared/sha256.ts'
import { toDocumentPath } from '../../skills/skill-discovery.ts'
import type { SkillOpOutcome } from '../../skills/skill-op.ts'
import { isNameLive } from '../../skills/skill-view.ts'
import { redactCredentials } from '../../threats/credentials/redact-credentials.ts'
import { isOwnText } from '../../usage/usage-record.ts'
import type { DisposeDeps, SkillDisposeDeps } from './dispose-deps.ts'
import { guarded } from './record-verdict.ts'
import type { SkillPlan } from './skill-plan.ts'

/** The change in a sentence, for the model and the person. */
const describeSkillChange = ({ op, skill, filePath, current, next, count: places = 1 }: SkillPlan): string => {
  const name = `'${skill.name}'`
  if (current && current.text === next) return `'${filePath}' of the skill ${name} has exactly that content already; nothing changed.`
  switch (op.action) {
    case 'create':
      return `Created the skill ${name}${skill.category === undefined ? '' : ` in '${skill.category}'`}.`
    case 'edit':
      return `Rewrote the SKILL.md of the skill ${name}.`
    case 'patch':
      return `Patched '${filePath}' of the skill ${name}${places === 1 ? '' : ` in ${places} places`}.`
    case 'write_file':
      return current ? `Rewrote '${filePath}' of the skill ${name}.` : `Added '${filePath}' to the skill ${name}.`
    case 'remove_file':
      return `Removed '${filePath}' from the skill ${name}; the journal keeps its content.`
    case 'archive':
      return op.absorbedInto === undefined
        ? `Archived the skill ${name}; it can be restored.`
        : `Archived the skill ${name}, whose content '${op.absorbedInto}' contains from now on; it can be restored.`
  }
}

export interface SkillWriting extends Pick<DisposeDeps, 'onFailure'> {
  readonly reason: string
  /** The writing model, as its provider names it. */
  readonly model?: string | undefined
  /** The change corrects a result that the skill led to. */
  readonly corrects?: boolean
  /** The writer was shown own words alone. */
  readonly fromOwnWords?: boolean
  /** False for a new skill that the agent did not write, which is not counted as its own. Default true. */
  readonly isAgents?: boolean
}

/** The written file, if no part of its text is from outside: a patch keeps most of the text that it changes. */
const ownFile = async (
  { op, skill: { name }, filePath, current, next }: SkillPlan,
  { usage }: SkillDisposeDeps,
): Promise<{ readonly filePath: string; readonly digest: string } | undefined> => {
  if (next === undefined) return undefined
  const keeps = op.action === 'patch' && current ? current.text : undefined
  if (keeps !== undefined && !(await isOwnText(await usage.get(name), filePath, keeps))) return undefined
  return { filePath, digest: await sha256OfText(next) }
}

const count = async (
  plan: SkillPlan,
  skills: SkillDisposeDeps,
  { model, corrects = false, fromOwnWords = false, isAgents = true }: Omit<SkillWriting, 'reason' | 'onFailure'>,
): Promise<Result<unknown>> => {
  if (!isAgents) return ok(undefined)
  const { op, skill } = plan
  const { name } = skill
  const { usage, store } = skills
  const own = fromOwnWords ? await ownFile(plan, skills) : undefined
  if (op.action === 'create') return usage.record(name, 'create', { createdBy: 'agent', model: model ?? null, own })
  if (op.action !== 'archive') {
    const patched = await usage.record(name, 'patch', { model: model ?? null, own })
    return patched.ok && corrects ? usage.record(name, 'correction') : patched
  }
  // Another existing skill has that name: the record is now that skill's and stays unchanged.
  return (await isNameLive(name, store)) ? ok(undefined) : usage.setState(name, 'archived')
}

/** A usage record that cannot be written is told to `onFailure`. `drift` if another writer was faster. */
export const writeSkill = async (
  plan: SkillPlan,
  skills: SkillDisposeDeps,
  { reason, onFailure, ...writing }: SkillWriting,
): Promise<Result<SkillOpOutcome>> => {
  const { op, skill, filePath, current, next } = plan
  const isSame = current !== undefined && current.text === next
  if (!isSame) {
    try {
      const changed = await skills.store.commit(plan.planned, redactCredentials(reason))
      if (!changed.ok) return changed
      if ('version' in changed.value && typeof changed.value.version === 'string') {
        skills.onWritten?.(toDocumentPath(skill, filePath), changed.value.version)
      }
    } catch (cause) {
      const why = cause instanceof Error ? cause.message : String(cause)
      return err(new HermesError('io', `The skills failed: ${why}`, { cause }))
    }
    await guarded(onFailure ? { onFailure } : {}, 'usage', () => count(plan, skills, writing))
  }
  const previous = op.action === 'archive' || current === undefined ? {} : { previous: current.text }
  const message = describeSkillChange(plan)
  return ok({ target: 'skill', action: op.action, name: skill.name, path: skill.path, filePath, message, ...previous })
}
