/** What was done to a skill, in a sentence for the model and the person. */
import type { SkillPlan } from './skill-plan.ts'

export const describeSkillChange = ({ op, skill, filePath, current, next, places = 1 }: SkillPlan): string => {
  const name = `'${skill.name}'`
  if (current && next !== undefined && current.text === next)
    return `'${filePath}' of the skill ${name} holds exactly that already; nothing changed.`
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
      return `Removed '${filePath}' from the skill ${name}; the journal keeps what it held.`
    case 'archive':
      return op.absorbedInto === undefined
        ? `Archived the skill ${name}; it can be restored.`
        : `Archived the skill ${name}, whose content '${op.absorbedInto}' holds from now on; it can be restored.`
  }
}
