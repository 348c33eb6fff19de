/** The text files of a skill: its SKILL.md and its support files. */
import { ok, type Result } from '../shared/result.ts'
import { SKILL_FILE } from './skill-discovery.ts'
import type { SkillReader } from './skill-reader.ts'

/** By their path in the skill's folder. Files that are not text or too large are left out. The error of a skill that is not there. */
export const readSkillFiles = async (name: string, reader: Pick<SkillReader, 'view'>): Promise<Result<ReadonlyMap<string, string>>> => {
  const viewed = await reader.view(name)
  if (!viewed.ok) return viewed
  const files = new Map([[SKILL_FILE, viewed.value.content]])
  for (const path of Object.values(viewed.value.linkedFiles).flat()) {
    const file = await reader.view(name, path)
    if (file.ok && file.value.content !== undefined) files.set(path, file.value.content)
  }
  return ok(files)
}
