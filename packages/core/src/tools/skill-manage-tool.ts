/** The agent's `skill_manage` tool, in neutral form: it writes, corrects and puts away skills (reference skills-curator 6). */
import { safeTool, toRefusal } from './safe-tool.ts'
import { skillManageInputSchema, toSkillOp } from './skill-manage-input.ts'
import { describeSkillReply } from './skill-manage-result.ts'
import type { SkillToolEffects } from './skill-tool-effects.ts'
import type { ToolDefinition } from './tool-definition.ts'

const DESCRIPTION = [
  'Keeps your skills: procedures for a class of tasks, to be loaded in later sessions.',
  'Write one, without being asked, when a task took effort (many steps, errors, a way found by trying) and will come again in some form, or when the user corrects how a thing is done. Correct a skill as soon as it proves wrong or incomplete. Not for notes on one task, nor for facts and preferences.',
  'Name the class of tasks, not the occasion. Extend a skill that is there rather than make a new one, and patch it rather than edit all of it.',
  'content: front matter between --- lines with name (as given: lowercase-words) and description (what for and when, the point in its first 60 characters), then when to use it, numbered steps, pitfalls, how to check the result.',
  'Long or reusable material goes beside it with write_file: references/, templates/, scripts/, assets/.',
  'archive puts a skill away, from where a person can restore it; nothing is deleted.',
].join('\n')

export const skillManageTool = (effects: Pick<SkillToolEffects, 'manage'>): ToolDefinition =>
  safeTool({
    name: 'skill_manage',
    description: DESCRIPTION,
    inputSchema: skillManageInputSchema,
    refuse: (refusal) => describeSkillReply({ kind: 'refused', ...refusal }),
    run: async (input, context) => {
      const op = toSkillOp(input)
      if (!op.ok) return describeSkillReply({ kind: 'refused', ...toRefusal(op.error) })
      return describeSkillReply(await effects.manage(op.value, { createAnyway: input.create_anyway ?? false }, context))
    },
  })
