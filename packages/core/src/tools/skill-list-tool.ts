/** The agent's `skills_list` tool, in neutral form: what skills there are, without their text (reference skills-curator 3). */
import { z } from 'zod'
import { type SafeTool, safeTool, type ToolResult } from './safe-tool.ts'
import { SKILL_READ_FAILURES } from './skill-failure.ts'
import { describeSkillList } from './skill-list-result.ts'
import { describeSkillRefusal } from './skill-refusal.ts'
import type { SkillToolEffects } from './skill-tool-effects.ts'
import type { ToolDefinition } from './tool-definition.ts'

const inputSchema = z.object({ category: z.string().nullish().describe('Only this one.') })

export type SkillListToolInput = z.infer<typeof inputSchema>

const DESCRIPTION =
  'Lists your skills with name, category and description. A skill is a saved procedure for a class of tasks; your prompt names those there were when this session began.'

export const skillListTool = (effects: Pick<SkillToolEffects, 'list'>): ToolDefinition => {
  const refuse: SafeTool<unknown>['refuse'] = (refusal) => describeSkillRefusal(SKILL_READ_FAILURES, refusal)
  return safeTool({
    name: 'skills_list',
    description: DESCRIPTION,
    inputSchema,
    refuse,
    run: async ({ category }): Promise<ToolResult> => {
      const listed = await effects.list()
      return listed.ok ? describeSkillList(listed.value, category ?? '') : refuse(listed.error)
    },
  })
}
