/** Whether another live skill has the name of an archived one: they share one usage record. */
import type { SkillStore } from './skill-store.ts'

/** True also if it is unknown: an unchanged record can be corrected later, a wrong mark misleads until then. */
export const isNameLive = async (name: string, skills: Pick<SkillStore, 'view'>): Promise<boolean> => {
  const other = await skills.view(name)
  return other.ok ? other.value.name === name : other.error.code !== 'not_found'
}
