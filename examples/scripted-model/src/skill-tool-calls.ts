/** The skill tools' names, and what the chat's own calls have shown. */
import { z } from 'zod'
import type { ToolCall } from './tool-call.ts'

export const SKILL_VIEW_TOOL = 'skill_view'
export const SKILLS_LIST_TOOL = 'skills_list'
export const SKILL_MANAGE_TOOL = 'skill_manage'

const viewSchema = z.object({ name: z.string(), file_path: z.string().nullish() })
const contentSchema = z.object({ content: z.string() })

/** The newest text of each skill; support files do not count. */
export const skillsRead = (calls: readonly ToolCall[]): ReadonlyMap<string, string> =>
  new Map(
    calls.flatMap(({ toolName, input, output, success }): readonly (readonly [string, string])[] => {
      const asked = toolName === SKILL_VIEW_TOOL && success ? viewSchema.safeParse(input).data : undefined
      const shown = asked && !asked.file_path ? contentSchema.safeParse(output).data : undefined
      return asked && shown ? [[asked.name, shown.content]] : []
    }),
  )
