/** The agent's own `memory` tool, in neutral form (reference hermes-memory 4). There is no read action: the prompt holds the entries. */

import { MEMORY_TARGETS, type MemoryTarget } from '../memory/memory-op.ts'
import type { MemoryToolEffects, MemoryWriteReply } from './memory-tool-effects.ts'
import { memoryToolInputSchema, toMemoryOps } from './memory-tool-input.ts'
import { describeMemoryReply } from './memory-tool-result.ts'
import { describeMisfit, toRefusal } from './safe-tool.ts'
import type { ToolDefinition } from './tool-definition.ts'

export interface MemoryToolOptions extends MemoryToolEffects {
  /** The stores that are switched on. Default both. */
  readonly targets?: readonly MemoryTarget[]
}

const TARGET_HELP: Readonly<Record<MemoryTarget, string>> = {
  memory: "- 'memory' holds your own notes: the environment, conventions of the project, quirks of tools, lessons that will hold again.",
  user: "- 'user' holds who the person is: name, role, preferences, ways of working, what they have corrected.",
}

const describeTool = (targets: readonly MemoryTarget[]): string =>
  [
    'Keeps short notes that are put in front of you in every later session.',
    'Save, without being asked, what will still be true and useful in any session: a preference, a correction of your behaviour, a fact about the environment, a convention to keep to.',
    'Do not save progress of the current task, anything temporary, passwords, keys or other secrets, or what is easily looked up again.',
    'Where a note goes:',
    ...targets.map((target) => TARGET_HELP[target]),
    "Write one self-contained fact per entry, in few words: room is limited. 'replace' puts a whole new entry in the place of the one that old_text finds; 'remove' takes one away.",
    'For more than one change, or to make room for a new entry, send a list of operations: either all of them happen or none.',
    'The notes in your prompt stay as they are for this session; what you save here appears there from the next session on.',
  ].join('\n')

const failed = (error: unknown): MemoryWriteReply => ({ kind: 'refused', ...toRefusal(error) })

/** `undefined` where every store is switched off: then there is no tool. */
export const memoryTool = ({ write, targets = MEMORY_TARGETS }: MemoryToolOptions): ToolDefinition | undefined => {
  const [first, ...others] = MEMORY_TARGETS.filter((target) => targets.includes(target))
  if (first === undefined) return undefined
  const inputSchema = memoryToolInputSchema([first, ...others])
  return {
    name: 'memory',
    description: describeTool([first, ...others]),
    inputSchema,
    execute: async (input, context) => {
      // Not every framework checks what the model sent.
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
