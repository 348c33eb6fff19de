/** The agent's skill tools, in the fixed order in which a model is offered them. */
import { skillListTool } from './skill-list-tool.ts'
import { skillManageTool } from './skill-manage-tool.ts'
import type { SkillToolEffects } from './skill-tool-effects.ts'
import { skillViewTool } from './skill-view-tool.ts'
import type { ToolDefinition } from './tool-definition.ts'

/** `skills_list`, `skill_view`, `skill_manage`. */
export const skillTools = (effects: SkillToolEffects): readonly ToolDefinition[] => [
  skillListTool(effects),
  skillViewTool(effects),
  skillManageTool(effects),
]
