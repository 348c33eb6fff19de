/** Homes with many skills of different ages. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const CATEGORIES = 12
const DAY_MS = 86_400_000
const BODY = 'A line of instructions, as long as they are.\n'.repeat(65)

interface SkillHomeOptions {
  readonly skills: number
  /** Days since the last use of a skill, by its number. */
  readonly idleDays: (index: number) => number
}

/** Skills of 3 KB each, in twelve categories, closed to other users like a home that is in use. */
export const writeSkillHome = (home: string, { skills, idleDays }: SkillHomeOptions): void => {
  const now = Date.now()
  const usage: Record<string, object> = {}
  for (let index = 0; index < skills; index++) {
    const name = `skill-${index}`
    const folder = join(home, `skills/category-${index % CATEGORIES}/${name}`)
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    const frontMatter = `---\nname: ${name}\ndescription: Does the useful thing with number ${index}, and nothing else.\n---\n`
    writeFileSync(join(folder, 'SKILL.md'), `${frontMatter}\n# Skill ${index}\n\n${BODY}`, { mode: 0o600 })
    usage[name] = {
      created_by: 'agent',
      use_count: index % 30,
      last_used_at: new Date(now - idleDays(index) * DAY_MS).toISOString(),
      state: 'active',
    }
  }
  writeFileSync(join(home, 'skills/.usage.json'), JSON.stringify(usage), { mode: 0o600 })
}
