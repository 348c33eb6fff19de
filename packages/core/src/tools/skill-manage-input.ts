/** What a model may send to the skill_manage tool, and what it means; null and left out are the same (reference skills-curator 6). */
import { z } from 'zod'
import { HermesError } from '../shared/hermes-error.ts'
import { err, ok, type Result } from '../shared/result.ts'
import { SKILL_FILE } from '../skills/skill-discovery.ts'
import { SKILL_ACTIONS, type SkillAction, type SkillOp, skillOpSchema } from '../skills/skill-op.ts'
import { describeMisfit } from './safe-tool.ts'

/** Models trained on other agents send `delete`; nothing is deleted here. */
const SPOKEN_ACTIONS = [...SKILL_ACTIONS, 'delete'] as const

const text = () => z.string().nullish()

export const skillManageInputSchema = z.object({
  action: z.enum(SPOKEN_ACTIONS).nullish(),
  name: text(),
  content: text().describe('create, edit: the whole SKILL.md.'),
  category: text().describe('create: a folder to put it in.'),
  old_string: text().describe('patch: the text to replace, enough of it to be unique.'),
  new_string: text().describe('patch: what it becomes; empty deletes.'),
  replace_all: z.boolean().nullish(),
  file_path: text().describe('write_file, remove_file, patch: such as references/api.md.'),
  file_content: text().describe('write_file: the whole file.'),
  absorbed_into: text().describe('archive: the skill that has its content now.'),
  create_anyway: z.boolean().nullish().describe('create: after similar skills were shown, and none fits.'),
})

export type SkillManageInput = z.infer<typeof skillManageInputSchema>

type Draft = Readonly<Record<string, unknown>> & { readonly action: SkillAction }

const given = (value: string | null | undefined): string | undefined => ((value ?? '').trim() === '' ? undefined : (value ?? undefined))

/** The texts each action cannot do without, and what a model is told to send. */
const missingFor = (action: SkillAction, input: SkillManageInput): readonly string[] => {
  const { content, file_content: fileContent, old_string: oldText, new_string: newText } = input
  const needs: Readonly<Record<SkillAction, Readonly<Record<string, unknown>>>> = {
    create: { content: content ?? fileContent },
    edit: { content: content ?? fileContent },
    patch: { old_string: oldText, new_string: newText },
    write_file: { file_path: given(input.file_path), file_content: fileContent ?? content },
    remove_file: { file_path: given(input.file_path) },
    archive: {},
  }
  return Object.entries({ name: given(input.name), ...needs[action] })
    .filter(([, value]) => value === undefined || value === null)
    .map(([parameter]) => parameter)
}

/** `devops/deploy` for a new skill names its category as well. */
const splitName = (name: string, category: string | undefined): { readonly name: string; readonly category: string | undefined } => {
  const [above = '', own = '', ...more] = name.split('/')
  const isPath = above !== '' && own !== '' && more.length === 0 && (category === undefined || category === above)
  return isPath ? { name: own, category: above } : { name, category }
}

const toDraft = (action: SkillAction, input: SkillManageInput): Draft => {
  const name = given(input.name)?.trim() ?? ''
  const whole = input.content ?? input.file_content
  const filePath = given(input.file_path)?.trim()
  switch (action) {
    case 'create':
      return { action, ...splitName(name, given(input.category)), content: whole }
    case 'edit':
      return { action, name, content: whole }
    case 'patch': {
      const { old_string: oldText, new_string: newText, replace_all: replaceAll } = input
      return { action, name, oldText, newText, filePath: filePath === SKILL_FILE ? undefined : filePath, replaceAll }
    }
    case 'write_file':
      return { action, name, filePath, content: input.file_content ?? input.content }
    case 'remove_file':
      return { action, name, filePath }
    case 'archive':
      return { action, name, absorbedInto: given(input.absorbed_into)?.trim() }
  }
}

/** `invalid`, in words that name the parameters as the model knows them. */
export const toSkillOp = (input: SkillManageInput): Result<SkillOp> => {
  const action = input.action === 'delete' ? 'archive' : input.action
  if (!action) return err(new HermesError('invalid', `There is no action: name ${SKILL_ACTIONS.join(', ')}.`))
  const missing = missingFor(action, input)
  if (missing.length > 0) {
    const hint = missing.includes('new_string') ? ' To delete the old text, send an empty new_string.' : ''
    return err(new HermesError('invalid', `The action '${action}' needs ${missing.join(' and ')}.${hint} Call again with it.`))
  }
  const parsed = skillOpSchema.safeParse(toDraft(action, input))
  return parsed.success ? ok(parsed.data) : err(new HermesError('invalid', describeMisfit(parsed.error)))
}
