/** The agent's `skills_list` tool, in neutral form: lists skills without their text (reference skills-curator 3). */
import { readOnce } from '../shared/read-once.ts'
import type { SkillState } from '../usage/usage-record.ts'
import type { SkillToolEffects } from './skill-tool-effects.ts'
import { refuseReading, safeTool, type ToolDefinition, type ToolRefusal, type ToolResult } from './tool-definition.ts'
import { parameters, type ToolInput, textParameter } from './tool-parameters.ts'

// The result: JSON for the model, typed for hosts that show tool calls to a person.

export type ListedSkillResult = {
  readonly name: string
  readonly category?: string
  readonly description: string
  /** Absent for an active skill. */
  readonly state?: SkillState
  /** It can be loaded but not changed. */
  readonly shared?: true
}

export type SkillListSuccess = {
  readonly success: true
  readonly count: number
  readonly skills: readonly ListedSkillResult[]
  readonly message?: string
  /** Number of skills by category, if not all are listed. */
  readonly categories?: Readonly<Record<string, number>>
  readonly more_names?: readonly string[]
  readonly problems?: readonly string[]
}

export type SkillListToolResult = SkillListSuccess | ToolRefusal

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
