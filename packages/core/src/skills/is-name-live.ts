/** Whether a name is still that of a living skill once another one of that name was put away: their usage record is one and the same. */
import type { SkillStore } from './skill-store.ts'

/** True also where it cannot be told: a record that was left as it is can be put right, one marked wrongly misleads until then. */
export const isNameLive = async (name: string, skills: Pick<SkillStore, 'view'>): Promise<boolean> => {
  const other = await skills.view(name)
  return other.ok ? other.value.name === name : other.error.code !== 'not_found'
}
