/**
 * The agent's `skill_view` tool, in neutral form: shows a skill or one of its support files (reference skills-curator 3). Text with threat findings is
 * withheld, as with memory.
 */
import { readOnce } from '../shared/read-once.ts'
import { SKILL_FILE } from '../storage/storage-paths.ts'
import { refuseReading, type SkillToolEffects } from './skill-tool-effects.ts'
import type { SkillViewToolResult } from './skill-view-reply.ts'
import { safeTool, type ToolDefinition, type ToolResult } from './tool-definition.ts'
import { parameters, type ToolInput, textParameter } from './tool-parameters.ts'

export type { SkillViewToolResult }

interface SkillViewParameters {
  readonly name: string
  readonly file_path: string
}

export type SkillViewToolInput = ToolInput<SkillViewParameters>

const input = /* @__PURE__ */ readOnce(() =>
  parameters<SkillViewParameters>({
    name: textParameter('As listed, or category/name.'),
    file_path: textParameter('Default: its instructions.'),
  }),
)

const DESCRIPTION =
  'Loads a skill: instructions and file names. Do so before a task it may fit, even partly, and follow it; correct it if it proves wrong.'

const blank = (text: string | null | undefined): boolean => (text ?? '').trim() === ''

export const skillViewTool = (effects: Pick<SkillToolEffects, 'view' | 'noteShown' | 'isOwn'>): ToolDefinition =>
  safeTool({
    name: 'skill_view',
    description: DESCRIPTION,
    inputSchema: input.read().accepted,
    jsonSchema: input.read().shown,
    refuse: refuseReading,
    run: async ({ name, file_path: file }, context): Promise<ToolResult> => {
      if (typeof name !== 'string' || blank(name))
        return refuseReading({ code: 'empty', message: "Which skill? Give its 'name', as it is listed." })
      const filePath = blank(file) || file?.trim() === SKILL_FILE ? undefined : file?.trim()
      const viewed = await effects.view(name, filePath)
      if (!viewed.ok) return refuseReading(viewed.error)
      const { describeSkillView } = await import('./skill-view-reply.ts')
      const { result, shown } = describeSkillView(viewed.value, name)
      if (shown) {
        effects.noteShown(viewed.value)
        if (!(await effects.isOwn(viewed.value))) context?.onOutside?.()
      }
      return result
    },
  })
