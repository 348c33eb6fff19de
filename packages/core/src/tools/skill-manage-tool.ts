/** The agent's `skill_manage` tool, in neutral form: writes, corrects and archives skills (reference skills-curator 6). */

import { readOnce } from '../shared/read-once.ts'
import { SKILL_ACTIONS } from '../skills/skill-op.ts'
import type { SkillManageInput, SkillManageParameters, SkillManageToolResult } from './skill-manage-reply.ts'
import type { SkillToolEffects } from './skill-tool-effects.ts'
import { safeTool, type ToolDefinition, toRefusal } from './tool-definition.ts'
import { choiceParameter, parameters, switchParameter, textParameter } from './tool-parameters.ts'

export type { SkillManageInput, SkillManageToolResult }

// Input of the skill_manage tool; null and absent are the same (reference skills-curator 6).

/** Models trained with other agents send `delete`, which archives here. */
const SPOKEN_ACTIONS = [...SKILL_ACTIONS, 'delete'] as const

const skillManageInput = /* @__PURE__ */ readOnce(() =>
  parameters<SkillManageParameters>({
    action: choiceParameter(SPOKEN_ACTIONS),
    name: textParameter(),
    content: textParameter('create, edit: the whole SKILL.md.'),
    category: textParameter('create.'),
    old_string: textParameter('patch: unique text.'),
    new_string: textParameter('patch; may be empty.'),
    replace_all: switchParameter(),
    file_path: textParameter(),
    file_content: textParameter(),
    absorbed_into: textParameter('archive: skill with its content.'),
    create_anyway: switchParameter('create: no similar skill fits.'),
  }),
)

const DESCRIPTION = [
  'Keeps skills: procedures for a class of tasks.',
  'Write one unasked when a task took effort (many steps, errors) and will come again, or when the user corrects how a thing is done. Correct one as soon as it proves wrong or incomplete. No notes on one task, facts or preferences.',
  'Name the class, not the occasion. Extend rather than create, patch rather than edit.',
  'content: front matter between --- lines with name (lowercase-words) and description (what for and when, the point in 60 characters), then when to use it, numbered steps, pitfalls, how to check.',
  'Long or reusable material: files in references/, templates/, scripts/, assets/.',
  'archive: a person can restore it.',
].join('\n')

const loadReply = () => import('./skill-manage-reply.ts')

export const skillManageTool = (effects: Pick<SkillToolEffects, 'manage'>): ToolDefinition =>
  safeTool({
    name: 'skill_manage',
    description: DESCRIPTION,
    inputSchema: skillManageInput.read().accepted,
    jsonSchema: skillManageInput.read().shown,
    refuse: async (refusal) => (await loadReply()).describeSkillReply({ kind: 'refused', ...refusal }),
    run: async (input, context) => {
      const { toSkillOp, describeSkillReply } = await loadReply()
      const op = toSkillOp(input)
      if (!op.ok) return describeSkillReply({ kind: 'refused', ...toRefusal(op.error) })
      return describeSkillReply(await effects.manage(op.value, { createAnyway: input.create_anyway ?? false }, context))
    },
  })
