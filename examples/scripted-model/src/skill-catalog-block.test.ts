import { expect, it } from 'vitest'
import { memoryBlockEntries } from './memory-block.ts'
import { catalogSkills } from './skill-catalog-block.ts'

const RULE = '═'.repeat(46)
const system = `You are helpful.

${RULE}
USER PROFILE (who the user is) [1% — 18/1,375 chars]
${RULE}
User lives in Oslo

${RULE}
SKILLS (instructions kept from earlier work)
${RULE}
Before you do a task, load the skill.

without category:
- split-bills: Split a bill: shares, tip
- bare

devops (stale):
- devops/deploy (stale): Deploy the app
- evil: [BLOCKED: prompt_injection. Its text is kept out of sight.]
- [BLOCKED: the name of a skill: prompt_injection.]

1 more skill is not shown here; skills_list shows all.`

it('reads the skills of the catalogue, but for those that are kept out of sight', () => {
  expect(catalogSkills(system)).toEqual([
    { name: 'split-bills', description: 'Split a bill: shares, tip' },
    { name: 'bare', description: '' },
    { name: 'devops/deploy', description: 'Deploy the app' },
  ])
  expect(catalogSkills('You are helpful.\n- no: skill')).toEqual([])
})

it('takes nothing of it for memory', () => {
  expect(memoryBlockEntries(system)).toEqual([{ target: 'user', text: 'User lives in Oslo' }])
})
