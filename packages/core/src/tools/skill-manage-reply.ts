/** What a call of `skill_manage` asks for, and what the tool answers. Loaded with the first call of the tool. */
import { checkShape } from '../shared/check-shape.ts'
import { HermesError } from '../shared/hermes-error.ts'
import { err, ok, type Result } from '../shared/result.ts'
import { SKILL_FILE } from '../skills/skill-discovery.ts'
import { SKILL_ACTIONS, type SkillAction, type SkillOp, type SkillOpOutcome } from '../skills/skill-op.ts'
import { skillOpSchema } from '../skills/skill-op-schema.ts'
import { cutText, describeSkillRefusal, SKILL_WRITE_FAILURES, shownText } from './describe-failure.ts'
import type { SimilarSkillHint, SkillWriteReply } from './skill-tool-effects.ts'
import { describeMisfit, type ToolRefusal } from './tool-definition.ts'
import type { ToolInput } from './tool-parameters.ts'

// The result: JSON for the model, typed for hosts that show tool calls to a person.

type SkillManageSuccess = {
  readonly success: true
  readonly done: true
  readonly action: SkillAction
  readonly name: string
  readonly path: string
  readonly file_path: string
  readonly message: string
}

export type SkillManageToolResult = SkillManageSuccess | ToolRefusal

export interface SkillManageParameters {
  readonly action: SkillAction | 'delete'
  readonly name: string
  readonly content: string
  readonly category: string
  readonly old_string: string
  readonly new_string: string
  readonly replace_all: boolean
  readonly file_path: string
  readonly file_content: string
  readonly absorbed_into: string
  readonly create_anyway: boolean
}

export type SkillManageInput = ToolInput<SkillManageParameters>

type Draft = Readonly<Record<string, unknown>> & { readonly action: SkillAction }

const given = (value: string | null | undefined): string | undefined => ((value ?? '').trim() === '' ? undefined : (value ?? undefined))

/** The required texts of each action, as shown to the model. */
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

/** For a new skill, `devops/deploy` also names its category. */
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

/** `invalid`, with a message that uses the tool's parameter names. */
export const toSkillOp = (input: SkillManageInput): Result<SkillOp> => {
  const action = input.action === 'delete' ? 'archive' : input.action
  if (!action) return err(new HermesError('invalid', `There is no action: name ${SKILL_ACTIONS.join(', ')}.`))
  const missing = missingFor(action, input)
  if (missing.length > 0) {
    const hint = missing.includes('new_string') ? ' To delete the old text, send an empty new_string.' : ''
    return err(new HermesError('invalid', `The action '${action}' needs ${missing.join(' and ')}.${hint} Call again with it.`))
  }
  const parsed = checkShape(skillOpSchema, toDraft(action, input))
  return parsed.success ? ok(parsed.data) : err(new HermesError('invalid', describeMisfit(parsed.error)))
}

/** Code points. */
const MAX_DESCRIPTION_CHARS = 200

const WHEN_SHOWN: Partial<Record<SkillOpOutcome['action'], string>> = {
  create: ' Your prompt names it from the next session on; it can be listed and loaded at once.',
  archive: ' A person can restore it.',
}

const describeApplied = ({ action, name, path, filePath, message }: SkillOpOutcome): SkillManageSuccess => ({
  success: true,
  done: true,
  action,
  name: shownText(name),
  path: shownText(path),
  file_path: shownText(filePath),
  message: `${shownText(message)} It is done; do not repeat the call.${WHEN_SHOWN[action] ?? ''}`,
})

/** What to do instead of a patch. */
const SHARED_HINT = ' One marked shared cannot be changed: where it needs a change, create yours under its name, with the whole text.'

const describeSimilar = (skills: readonly SimilarSkillHint[]): ToolRefusal => ({
  success: false,
  done: false,
  code: 'similar',
  error:
    'Nothing was saved: there are skills much like it. Load the nearest; if it serves the same class of task, patch it, or edit it, instead. Only where yours is really for something else, call again with create_anyway: true.' +
    (skills.some(({ shared }) => shared) ? SHARED_HINT : ''),
  similar: skills.map(({ name, description, path, shared = false }) => ({
    name: shownText(name),
    path: shownText(path),
    description: shownText(cutText(description, MAX_DESCRIPTION_CHARS)),
    ...(shared ? { shared } : {}),
  })),
})

const describeHeld = ({ reason, pendingId }: Extract<SkillWriteReply, { kind: 'held' }>): ToolRefusal => ({
  success: false,
  done: true,
  code: 'held',
  error: `Nothing is saved yet: this change waits until a person approves it (${reason}). Do not retry it, reword it or save it in another way; go on with the task.`,
  ...(pendingId === undefined ? {} : { pending_id: pendingId }),
})

/** Describes the result of a skill_manage call to the model: texts are not echoed on success, and similar skills are shown before a new one is created. */
export const describeSkillReply = (reply: SkillWriteReply): SkillManageToolResult => {
  switch (reply.kind) {
    case 'applied':
      return describeApplied(reply.outcome)
    case 'similar':
      return describeSimilar(reply.skills)
    case 'held':
      return describeHeld(reply)
    case 'refused':
      return describeSkillRefusal(SKILL_WRITE_FAILURES, reply)
  }
}
