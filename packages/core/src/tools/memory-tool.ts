/** The agent's `memory` tool, in neutral form (reference hermes-memory 4). It has no read action, since the prompt contains the entries. */
import { sanitiseEntries } from '../memory/memory-block.ts'
import {
  MEMORY_ACTIONS,
  MEMORY_TARGETS,
  type MemoryAction,
  type MemoryOp,
  type MemoryOpOutcome,
  type MemoryTarget,
} from '../memory/memory-op.ts'
import { checkShape } from '../shared/check-shape.ts'
import { HermesError } from '../shared/hermes-error.ts'
import { err, ok, type Result } from '../shared/result.ts'
import { MEMORY_PATHS } from '../storage/storage-paths.ts'
import { describeFailure, type Failure, type FailureSubject } from './describe-failure.ts'
import { describeMisfit, type Refusal, type ToolContext, type ToolDefinition, type ToolRefusal, toRefusal } from './tool-definition.ts'
import { choiceParameter, listParameter, parameters, type ToolInput, textParameter, unmentioned } from './tool-parameters.ts'

// The result: JSON for the model, typed for hosts that show tool calls to a person.

type MemoryToolSuccess = {
  readonly success: true
  readonly done: true
  readonly target: MemoryTarget
  /** How full the store is: `<percent>% — <used>/<limit> chars`. */
  readonly usage: string
  readonly entry_count: number
  readonly message: string
  /** Entries that were replaced or removed. */
  readonly previous?: readonly string[]
}

export type MemoryToolResult = MemoryToolSuccess | ToolRefusal

/** Reply of the port through which the memory tool writes; the session implements it with gate, store and journal. */
export type MemoryWriteReply =
  | { readonly kind: 'applied'; readonly outcome: MemoryOpOutcome }
  /** Pending for a person or the host's code. */
  | { readonly kind: 'held'; readonly reason: string; readonly pendingId?: string }
  /** Refused by a gate or the store; `code` and `details` as in `HermesError`. */
  | { readonly kind: 'refused'; readonly code: string; readonly message: string; readonly details?: Readonly<Record<string, unknown>> }

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
}

type OperationInput = ToolInput<OperationParameters>

interface MemoryToolParameters extends OperationParameters {
  readonly target: MemoryTarget
  readonly operations: readonly OperationInput[]
}

export type MemoryToolInput = ToolInput<MemoryToolParameters>

const texts = (content?: string, oldText?: string) => ({
  content: textParameter(content),
  new_text: unmentioned(textParameter()),
  old_text: textParameter(oldText),
})

const operation = () => parameters<OperationParameters>({ action: choiceParameter(MEMORY_ACTIONS), ...texts() })

/** Accepts only enabled stores. */
const memoryToolInput = (targets: readonly [MemoryTarget, ...MemoryTarget[]]) =>
  parameters<MemoryToolParameters>({
    target: choiceParameter(targets),
    action: choiceParameter(MEMORY_ACTIONS),
    ...texts('add, replace: the whole new entry.', 'replace, remove: a piece of the entry, verbatim, in no other.'),
    operations: listParameter(operation()),
  })

const toOp = (input: OperationInput): MemoryOp | undefined => {
  // The store refuses blank texts, with a message that says what is missing.
  const text = input.content ?? input.new_text ?? ''
  const old = input.old_text ?? ''
  if (input.action === 'add') return { action: 'add', content: text }
  if (input.action === 'replace') return { action: 'replace', oldText: old, content: text }
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

const unreadable = (path: string, { details = {} }: Refusal): Failure =>
  details['systemCode'] === undefined
    ? {
        fact: `Nothing was saved: ${path} is damaged or not valid UTF-8, so it was left as it is.`,
        tellUser: 'to repair that file or move it away',
      }
    : { fact: `Nothing was saved: this program may not read ${path}.`, tellUser: 'to check who owns that file and its permissions' }

/** Failures of a memory call, with wording of their own. */
const memoryFailures = (target: MemoryTarget): FailureSubject => ({
  nothing: 'Nothing was saved',
  place: 'memory',
  off: 'this part of memory is',
  again: 'call again',
  path: MEMORY_PATHS[target],
  own: {
    unreadable,
    drift: (path) => ({
      fact: `Nothing was saved: ${path} holds an entry longer than its whole limit, written by another program or by hand, and a change could lose it.`,
      tellUser: 'to split or shorten that entry by hand',
    }),
    invalid_path: (path) => ({
      fact: `Nothing was saved: ${path} leads to a place where memory may not be kept.`,
      tellUser: 'to check the symbolic links there',
    }),
  },
})

const SHOWS_ENTRIES: ReadonlySet<string> = new Set(['over_limit', 'not_found'])

const isTexts = (value: unknown): value is readonly string[] => Array.isArray(value) && value.every((each) => typeof each === 'string')

const isFromOutside = ({ facts = [] }: MemoryOpOutcome): boolean => facts.some(({ content }) => content?.origin === 'tool')

const FROM_OUTSIDE =
  ' It is kept apart as data, since text from outside is in this conversation. A later review looks at what the user said.'

const describeApplied = (outcome: MemoryOpOutcome): MemoryToolSuccess => ({
  success: true,
  done: true,
  target: outcome.target,
  usage: outcome.usage,
  entry_count: outcome.entryCount,
  message: `${outcome.message} It is saved; do not repeat the call.${isFromOutside(outcome) ? FROM_OUTSIDE : ''} Your prompt shows it from the next session on.`,
  ...(outcome.previous.length > 0 ? { previous: sanitiseEntries(outcome.target, outcome.previous) } : {}),
})

const describeHeld = (target: MemoryTarget, reply: Extract<MemoryWriteReply, { kind: 'held' }>): ToolRefusal => ({
  success: false,
  done: true,
  code: 'held',
  target,
  error: `Nothing is saved yet: this change waits (${reply.reason}). A later review settles it by itself if the user said it; otherwise a person decides. Do not retry it, reword it or save it in another way; go on with the task.`,
  ...(reply.pendingId === undefined ? {} : { pending_id: reply.pendingId }),
})

const describeRefused = (target: MemoryTarget, refusal: Extract<MemoryWriteReply, { kind: 'refused' }>): ToolRefusal => {
  const { code, message, details = {} } = refusal
  const { currentEntries, usage, matches, backupPath, causeCode } = details
  const failure = describeFailure(memoryFailures(target), refusal)
  return {
    success: false,
    done: failure !== undefined,
    target,
    code,
    error: failure ?? message,
    ...(SHOWS_ENTRIES.has(code) && isTexts(currentEntries) ? { current_entries: sanitiseEntries(target, currentEntries) } : {}),
    ...(SHOWS_ENTRIES.has(code) && typeof usage === 'string' ? { usage } : {}),
    ...(code === 'ambiguous' && isTexts(matches) ? { matches: sanitiseEntries(target, matches) } : {}),
    ...(code === 'capped' && typeof causeCode === 'string' ? { last_cause: causeCode } : {}),
    ...(code === 'drift' && typeof backupPath === 'string' ? { drift_backup: backupPath } : {}),
  }
}

/** Describes the result of a memory call to the model. Entries are not echoed on success, since models then repeat the edit (reference hermes-memory 3). */
export const describeMemoryReply = (target: MemoryTarget, reply: MemoryWriteReply): MemoryToolResult => {
  if (reply.kind === 'applied') return describeApplied(reply.outcome)
  return reply.kind === 'held' ? describeHeld(target, reply) : describeRefused(target, reply)
}

export interface MemoryToolOptions extends MemoryToolEffects {
  /** The enabled stores. Default both. */
  readonly targets?: readonly MemoryTarget[]
}

const TARGET_HELP: Readonly<Record<MemoryTarget, string>> = {
  memory: 'memory: your own notes on environment, project and tools, lessons.',
  user: 'user: who the person is, preferences, ways of working, corrections.',
}

const describeTool = (targets: readonly MemoryTarget[]): string =>
  [
    'Keeps short notes, shown to you from the next session on.',
    'Save unasked what stays true and useful: preferences, corrections of your behaviour, facts about the environment, conventions. No progress of the task, nothing temporary, no secrets, nothing easily looked up.',
    ...targets.map((target) => TARGET_HELP[target]),
    'One self-contained fact per entry, in few words: room is limited. Several changes, or room made for one, go into operations: all or none.',
  ].join('\n')

const failed = (error: unknown): MemoryWriteReply => ({ kind: 'refused', ...toRefusal(error) })

/** `undefined` if every store is disabled: then there is no tool. */
export const memoryTool = ({ write, targets = MEMORY_TARGETS }: MemoryToolOptions): ToolDefinition | undefined => {
  const [first, ...others] = MEMORY_TARGETS.filter((target) => targets.includes(target))
  if (first === undefined) return undefined
  const { accepted: inputSchema, shown: jsonSchema } = memoryToolInput([first, ...others])
  return {
    name: 'memory',
    description: describeTool([first, ...others]),
    inputSchema,
    jsonSchema,
    execute: async (input, context) => {
      // Not every framework validates the model's input.
      const parsed = checkShape(inputSchema, input)
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
