/** What a model may send to the memory tool, and what it means; null and left out are the same (reference hermes-memory 4). */
import { z } from 'zod'
import { MEMORY_ACTIONS, type MemoryOp, type MemoryTarget } from '../memory/memory-op.ts'
import { HermesError } from '../shared/hermes-error.ts'
import { err, ok, type Result } from '../shared/result.ts'

const action = z.enum(MEMORY_ACTIONS).nullish()
const content = z.string().nullish().describe('add, replace: the complete entry as it should stand afterwards.')
const oldText = z
  .string()
  .nullish()
  .describe('replace, remove: a short piece of the entry you mean, letter for letter, found in no other entry.')
const newText = z.string().nullish().describe('Another name for content.')

const operation = z.object({ action, content, new_text: newText, old_text: oldText })

const TARGET_WORDS: Readonly<Record<MemoryTarget, string>> = {
  memory: "'memory': your own notes.",
  user: "'user': who the user is.",
}

/** Only the stores that are switched on can be named. */
export const memoryToolInputSchema = (targets: readonly [MemoryTarget, ...MemoryTarget[]]) =>
  z.object({
    target: z
      .enum(targets)
      .nullish()
      .describe(targets.map((target) => TARGET_WORDS[target]).join(' ')),
    action: action.describe('One change. Leave it out where operations are given.'),
    content,
    new_text: newText,
    old_text: oldText,
    operations: z.array(operation).nullish().describe('Several changes of one target in one call: all are made, or none.'),
  })

export type MemoryToolInput = z.infer<ReturnType<typeof memoryToolInputSchema>>

const toOp = (input: z.infer<typeof operation>): MemoryOp | undefined => {
  // Blank texts are the store's to refuse, with a message that says what is missing.
  const text = input.content ?? input.new_text ?? ''
  const old = input.old_text ?? ''
  if (input.action === 'add') return { action: 'add', content: text }
  if (input.action === 'replace') return { action: 'replace', oldText: old, content: text }
  return input.action === 'remove' ? { action: 'remove', oldText: old } : undefined
}

/** `operations` win over a single action, as in the reference. */
export const toMemoryOps = (input: MemoryToolInput): Result<readonly MemoryOp[]> => {
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
