/** Reads the catalogue of skills back out of the system prompt. */
import { promptBlocks } from './prompt-blocks.ts'

export interface CatalogSkill {
  /** What the skill_view tool finds it by. */
  readonly name: string
  readonly description: string
}

const LINE = /^- ([^\s:[]+)(?: \(stale\))?(?:: (.*))?$/

/** Skills whose text the scan keeps out of sight are left out. */
export const catalogSkills = (system: string): readonly CatalogSkill[] =>
  promptBlocks(system)
    .filter(({ title }) => title.startsWith('SKILLS'))
    .flatMap(({ body }) => body.split('\n'))
    .flatMap((line): readonly CatalogSkill[] => {
      const [, name, description = ''] = LINE.exec(line) ?? []
      return name === undefined || description.startsWith('[BLOCKED') ? [] : [{ name, description }]
    })
