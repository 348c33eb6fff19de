/** The agent's `skill_view` tool, in neutral form: one skill, or one file beside it (reference skills-curator 3). */
import { z } from 'zod'
import { SKILL_FILE } from '../skills/skill-discovery.ts'
import { type SafeTool, safeTool, type ToolResult } from './safe-tool.ts'
import { SKILL_READ_FAILURES } from './skill-failure.ts'
import { describeSkillRefusal } from './skill-refusal.ts'
import type { SkillToolEffects } from './skill-tool-effects.ts'
import { describeSkillView } from './skill-view-result.ts'
import type { ToolDefinition } from './tool-definition.ts'

const inputSchema = z.object({
  name: z.string().nullish().describe('As listed; category/name where two share one.'),
  file_path: z.string().nullish().describe('One of its files, such as references/api.md. Default: its instructions.'),
})

export type SkillViewToolInput = z.infer<typeof inputSchema>

const DESCRIPTION =
  'Loads a skill: its instructions, and which files it has. Before a task that a listed skill may fit, even partly, load it and follow it; if it turns out wrong or incomplete, correct it when you are done.'

const blank = (text: string | null | undefined): boolean => (text ?? '').trim() === ''

export const skillViewTool = (effects: Pick<SkillToolEffects, 'view' | 'noteShown'>): ToolDefinition => {
  const refuse: SafeTool<unknown>['refuse'] = (refusal) => describeSkillRefusal(SKILL_READ_FAILURES, refusal)
  return safeTool({
    name: 'skill_view',
    description: DESCRIPTION,
    inputSchema,
    refuse,
    run: async ({ name, file_path: file }): Promise<ToolResult> => {
      if (typeof name !== 'string' || blank(name))
        return refuse({ code: 'empty', message: "Which skill? Give its 'name', as it is listed." })
      const filePath = blank(file) || file?.trim() === SKILL_FILE ? undefined : file?.trim()
      const viewed = await effects.view(name, filePath)
      if (!viewed.ok) return refuse(viewed.error)
      const { result, shown } = describeSkillView(viewed.value, name)
      if (shown) effects.noteShown(viewed.value)
      return result
    },
  })
}
