/** The agent's tools for skills, in neutral form (reference skills-curator 3 and 6). What they answer is loaded with the first call. */
import { readOnce } from '../shared/read-once.ts'
import { SKILL_ACTIONS } from '../skills/skill-op.ts'
import { SKILL_FILE } from '../storage/storage-paths.ts'
import type { SkillManageParameters } from './skill-manage-reply.ts'
import type { SkillToolEffects } from './skill-tool-effects.ts'
import { type Refusal, safeTool, type ToolDefinition, type ToolResult, toRefusal } from './tool-definition.ts'
import { choiceParameter, parameters, switchParameter, type ToolInput, textParameter } from './tool-parameters.ts'

const refuseReading = async (refusal: Refusal): Promise<ToolResult> => {
  const { describeSkillRefusal, SKILL_READ_FAILURES } = await import('./describe-failure.ts')
  return describeSkillRefusal(SKILL_READ_FAILURES, refusal)
}

interface SkillListParameters {
  readonly category: string
}

export type SkillListToolInput = ToolInput<SkillListParameters>

const listInput = /* @__PURE__ */ readOnce(() => parameters<SkillListParameters>({ category: textParameter() }))

/** Lists skills without their text. */
export const skillListTool = (effects: Pick<SkillToolEffects, 'list'>): ToolDefinition =>
  safeTool({
    name: 'skills_list',
    description: 'Lists your skills (saved procedures), also those newer than your prompt.',
    inputSchema: listInput.read().accepted,
    jsonSchema: listInput.read().shown,
    refuse: refuseReading,
    run: async ({ category }): Promise<ToolResult> => {
      const listed = await effects.list()
      if (!listed.ok) return refuseReading(listed.error)
      const { describeSkillList } = await import('./skill-list-reply.ts')
      return describeSkillList(listed.value, category ?? '')
    },
  })

interface SkillViewParameters {
  readonly name: string
  readonly file_path: string
}

export type SkillViewToolInput = ToolInput<SkillViewParameters>

const viewInput = /* @__PURE__ */ readOnce(() =>
  parameters<SkillViewParameters>({
    name: textParameter('As listed, or category/name.'),
    file_path: textParameter('Default: its instructions.'),
  }),
)

const VIEW_DESCRIPTION =
  'Loads a skill: instructions and file names. Do so before a task it may fit, even partly, and follow it; correct it if it proves wrong.'

/** Shows a skill or one of its support files. Text with threat findings is withheld, as with memory. */
export const skillViewTool = (effects: Pick<SkillToolEffects, 'view' | 'noteShown' | 'isOwn'>): ToolDefinition =>
  safeTool({
    name: 'skill_view',
    description: VIEW_DESCRIPTION,
    inputSchema: viewInput.read().accepted,
    jsonSchema: viewInput.read().shown,
    refuse: refuseReading,
    run: async ({ name, file_path: file }, context): Promise<ToolResult> => {
      if (typeof name !== 'string' || name.trim() === '')
        return refuseReading({ code: 'empty', message: "Which skill? Give its 'name', as it is listed." })
      const filePath = file?.trim() ?? ''
      const viewed = await effects.view(name, filePath === '' || filePath === SKILL_FILE ? undefined : filePath)
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

/** Models trained with other agents send `delete`, which archives here. */
const SPOKEN_ACTIONS = [...SKILL_ACTIONS, 'delete'] as const

const manageInput = /* @__PURE__ */ readOnce(() =>
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

const MANAGE_DESCRIPTION = [
  'Keeps skills: procedures for a class of tasks.',
  'Write one unasked when a task took effort (many steps, errors) and will come again, or when the user corrects how a thing is done. Correct one as soon as it proves wrong or incomplete. No notes on one task, facts or preferences.',
  'Name the class, not the occasion. Extend rather than create, patch rather than edit.',
  'content: front matter between --- lines with name (lowercase-words) and description (what for and when, the point in 60 characters), then when to use it, numbered steps, pitfalls, how to check.',
  'Long or reusable material: files in references/, templates/, scripts/, assets/.',
  'archive: a person can restore it.',
].join('\n')

const loadManageReply = () => import('./skill-manage-reply.ts')

/** Writes, corrects and archives skills. */
export const skillManageTool = (effects: Pick<SkillToolEffects, 'manage'>): ToolDefinition =>
  safeTool({
    name: 'skill_manage',
    description: MANAGE_DESCRIPTION,
    inputSchema: manageInput.read().accepted,
    jsonSchema: manageInput.read().shown,
    refuse: async (refusal) => (await loadManageReply()).describeSkillReply({ kind: 'refused', ...refusal }),
    run: async (input, context) => {
      const { toSkillOp, describeSkillReply } = await loadManageReply()
      const op = toSkillOp(input)
      if (!op.ok) return describeSkillReply({ kind: 'refused', ...toRefusal(op.error) })
      return describeSkillReply(await effects.manage(op.value, { createAnyway: input.create_anyway ?? false }, context))
    },
  })
