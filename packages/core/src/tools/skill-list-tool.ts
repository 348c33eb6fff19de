/** The agent's `skills_list` tool, in neutral form: lists skills without their text (reference skills-curator 3). */
import { readOnce } from '../shared/read-once.ts'
import type { SkillListToolResult } from './skill-list-reply.ts'
import { refuseReading, type SkillToolEffects } from './skill-tool-effects.ts'
import { safeTool, type ToolDefinition, type ToolResult } from './tool-definition.ts'
import { parameters, type ToolInput, textParameter } from './tool-parameters.ts'

export type { SkillListToolResult }

interface SkillListParameters {
  readonly category: string
}

export type SkillListToolInput = ToolInput<SkillListParameters>

const input = /* @__PURE__ */ readOnce(() => parameters<SkillListParameters>({ category: textParameter() }))

const DESCRIPTION = 'Lists your skills (saved procedures), also those newer than your prompt.'

export const skillListTool = (effects: Pick<SkillToolEffects, 'list'>): ToolDefinition =>
  safeTool({
    name: 'skills_list',
    description: DESCRIPTION,
    inputSchema: input.read().accepted,
    jsonSchema: input.read().shown,
    refuse: refuseReading,
    run: async ({ category }): Promise<ToolResult> => {
      const listed = await effects.list()
      if (!listed.ok) return refuseReading(listed.error)
      const { describeSkillList } = await import('./skill-list-reply.ts')
      return describeSkillList(listed.value, category ?? '')
    },
  })
