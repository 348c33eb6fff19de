/** Pins and unpins skills at a person's request; automatic changes skip pinned skills (reference skills-curator 5 and 9). */
import { readOwnershipMarks } from '../ownership/ownership-marks.ts'
import type { SkillHome } from '../ownership/skill-home.ts'
import { describeProtection, judgeOwnership } from '../ownership/skill-ownership.ts'
import { HermesError } from '../shared/hermes-error.ts'
import { err, ok, type Result } from '../shared/result.ts'

export interface PinnedSkill {
  readonly name: string
  readonly pinned: boolean
  /** `false` if the skill was already in that state. */
  readonly changed: boolean
}

/** `rejected` for a bundled or hub skill, which needs no pin; `not_found`, `ambiguous`. */
export const pinSkill = async (
  target: string,
  pinned: boolean,
  { skills, usage, storage, clock }: SkillHome,
): Promise<Result<PinnedSkill>> => {
  const viewed = await skills.view(target)
  if (!viewed.ok) return viewed
  const marks = await readOwnershipMarks(storage, { clock })
  if (!marks.ok) return marks
  const records = await usage.load()
  if (!records.ok) return records
  const { name } = viewed.value
  const { owner, pinned: before } = judgeOwnership(viewed.value, records.value.get(name), marks.value)
  if (pinned && (owner === 'bundled' || owner === 'hub')) {
    return err(new HermesError('rejected', `${describeProtection(owner, name)} It needs no pin.`))
  }
  if (before === pinned) return ok({ name, pinned, changed: false })
  const changed = await (pinned ? usage.pin(name) : usage.unpin(name))
  return changed.ok ? ok({ name, pinned, changed: true }) : changed
}
