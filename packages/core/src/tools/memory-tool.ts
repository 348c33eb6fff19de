/** The agent's `memory` tool, in neutral form (reference hermes-memory 4). It has no read action, since the prompt contains the entries. */
import { HOME_TARGETS, MEMORY_ACTIONS, type MemoryAction, type MemoryOp, type MemoryTarget } from '../memory/memory-op.ts'
import { HermesError } from '../shared/hermes-error.ts'
import { err, ok, type Result } from '../shared/result.ts'
import type { MemoryToolResult, MemoryWriteReply } from './memory-reply.ts'
import { describeMisfit, type ToolContext, type ToolDefinition, toRefusal, withoutCode } from './tool-definition.ts'
import { choiceParameter, listParameter, parameters, type ToolInput, textParameter, unmentioned } from './tool-parameters.ts'

export type { MemoryToolResult }

interface MemoryToolEffects {
  /**
   * Contract: one operation is applied alone; several are one all-or-nothing group. A failure is a reply; a rejection is reported to the model as a failure.
   */
  readonly write: (target: MemoryTarget, ops: readonly MemoryOp[], context?: ToolContext) => Promise<MemoryWriteReply>
}

// Input of the memory tool; null and absent are the same (reference hermes-memory 4).

interface OperationParameters {
  readonly action: MemoryAction
  readonly content: string
  /** The same as `content`, as other agents name it. */
  readonly new_text: string
  readonly old_text: string
  readonly from: string
  readonly until: string
}

type OperationInput = ToolInput<OperationParameters>

/** The stores that the agent writes; the fields of the profile are what a review proposes. */
export const TOOL_TARGETS = [...HOME_TARGETS, 'project'] as const

export type ToolTarget = (typeof TOOL_TARGETS)[number]

interface MemoryToolParameters extends OperationParameters {
  readonly target: ToolTarget
  readonly operations: readonly OperationInput[]
}

export type MemoryToolInput = ToolInput<MemoryToolParameters>

const texts = (content?: string, oldText?: string, until?: string) => ({
  content: textParameter(content),
  new_text: unmentioned(textParameter()),
  old_text: textParameter(oldText),
  from: textParameter(),
  until: textParameter(until),
})

/** Of `from` and `until`. */
const DAYS = 'from, until: first and last day of what holds for a time only, YYYY-MM-DD.'

const operation = () => parameters<OperationParameters>({ action: choiceParameter(MEMORY_ACTIONS), ...texts() })

/** Accepts only enabled stores. */
const memoryToolInput = (targets: readonly [ToolTarget, ...ToolTarget[]]) =>
  parameters<MemoryToolParameters>({
    target: choiceParameter(targets),
    action: choiceParameter(MEMORY_ACTIONS),
    ...texts('add, replace: the whole new entry.', 'replace, remove: a piece of the entry, verbatim, in no other.', DAYS),
    operations: listParameter(operation()),
  })

const toOp = (input: OperationInput): MemoryOp | undefined => {
  // The store refuses blank texts, with a message that says what is missing.
  const text = input.content ?? input.new_text ?? ''
  const old = input.old_text ?? ''
  const days = { from: input.from ?? undefined, until: input.until ?? undefined }
  if (input.action === 'add') return { action: 'add', content: text, ...days }
  if (input.action === 'replace') return { action: 'replace', oldText: old, content: text, ...days }
  return input.action === 'remove' ? { action: 'remove', oldText: old } : undefined
}

/** `operations` take precedence over a single action, as in the reference. */
const toMemoryOps = (input: MemoryToolInput): Result<readonly MemoryOp[]> => {
  const inputs = input.operations && input.operations.length > 0 ? input.operations : [input]
  const ops: MemoryOp[] = []
  for (const [index, each] of inputs.entries()) {
    const op = toOp(each)
    const where =
      input.operations && input.operations.length > 0
        ? `Operation ${index + 1} has no action`
        : 'There is neither an action nor a list of operations'
    if (!op) return err(new HermesError('invalid', `${where}: name ${MEMORY_ACTIONS.join(', ')}.`))
    ops.push(op)
  }
  return ok(ops)
}

export interface MemoryToolOptions extends MemoryToolEffects {
  /** The enabled stores. Default those of a person. */
  readonly targets?: readonly ToolTarget[]
}

const TARGET_HELP: Readonly<Record<ToolTarget, string>> = {
  memory: 'memory: your own notes on environment, project and tools, lessons.',
  user: 'user: who the person is, preferences, ways of working, corrections.',
  project: 'project: notes on this project alone, shown nowhere else: its conventions, structure, commands, decisions.',
}

/** Beside notes on one project. */
const MEMORY_BESIDE_PROJECT = 'memory: your own notes on environment and tools, lessons: what is of use in every project.'

const describeTool = (targets: readonly ToolTarget[]): string =>
  [
    'Keeps short notes, shown to you from the next session on.',
    'Save unasked what stays true and useful: preferences, corrections of your behaviour, facts about the environment, conventions. No progress of the task, nothing temporary, no secrets, nothing easily looked up.',
    ...targets.map((target) => (target === 'memory' && targets.includes('project') ? MEMORY_BESIDE_PROJECT : TARGET_HELP[target])),
    'One self-contained fact per entry, in few words: room is limited. Several changes, or room made for one, go into operations: all or none.',
  ].join('\n')

const failed = (error: unknown): MemoryWriteReply => ({ kind: 'refused', ...toRefusal(error) })

/** `undefined` if every store is disabled: then there is no tool. */
export const memoryTool = ({ write, targets = HOME_TARGETS }: MemoryToolOptions): ToolDefinition | undefined => {
  const [first, ...others] = TOOL_TARGETS.filter((target) => targets.includes(target))
  if (first === undefined) return undefined
  const { accepted: inputSchema, shown: jsonSchema } = memoryToolInput([first, ...others])
  return {
    name: 'memory',
    description: describeTool([first, ...others]),
    inputSchema,
    jsonSchema,
    execute: async (input, context) => {
      const code = await import('./memory-reply.ts').catch(() => undefined)
      if (!code) return withoutCode()
      const { describeMemoryReply } = code
      // Not every framework validates the model's input.
      const parsed = inputSchema.safeParse(input)
      if (!parsed.success) {
        return describeMemoryReply(first, { kind: 'refused', code: 'invalid', message: describeMisfit(parsed.error) })
      }
      const target = parsed.data.target ?? first
      const ops = toMemoryOps(parsed.data)
      if (!ops.ok) return describeMemoryReply(target, failed(ops.error))
      try {
        return describeMemoryReply(target, await write(target, ops.value, context))
      } catch (error) {
        return describeMemoryReply(target, failed(error))
      }
    },
  }
}
