/** Undoes a write to memory through the store: what it added goes, what it took away comes back with its origin and age. */
import { type Hermes, type MemoryOp, type MemoryOpOutcome, type MemoryTarget, ok, type Result } from '@hermes/core'

/** From the archive, where everything is that a write took away. */
const restoreText = async (hermes: Hermes, target: MemoryTarget, text: string): Promise<Result<unknown>> => {
  const store = hermes.memoryStore()
  const archived = await store.archived(target)
  if (!archived.ok) return archived
  const found = archived.value.find((entry) => entry.text === text)
  return found ? store.restore(found.id) : ok(undefined)
}

const undoOne = async (hermes: Hermes, target: MemoryTarget, op: MemoryOp, before: string | undefined): Promise<Result<unknown>> => {
  if (op.action === 'remove') return before === undefined ? ok(undefined) : restoreText(hermes, target, before)
  const store = hermes.memoryStore()
  if (op.action === 'add' || before === undefined) return store.apply(target, { action: 'remove', oldText: op.content })
  // Back from the archive first, so that it keeps its origin and its age.
  const removed = await store.apply(target, { action: 'remove', oldText: op.content })
  return removed.ok ? restoreText(hermes, target, before) : removed
}

/** `present`: the entries before the write; one that was added again stays. */
export const undoMemoryWrite = async (
  hermes: Hermes,
  ops: readonly MemoryOp[],
  { target, previous, evicted = [] }: MemoryOpOutcome,
  present: readonly string[],
): Promise<Result<void>> => {
  const taken = [...previous]
  const befores = ops.map((op) => (op.action === 'add' ? undefined : taken.shift()))
  for (const [index, op] of [...ops.entries()].reverse()) {
    if (op.action === 'add' && present.includes(op.content.trim())) continue
    const undone = await undoOne(hermes, target, op, befores[index])
    if (!undone.ok) return undone
  }
  for (const { text } of evicted) {
    const back = await restoreText(hermes, target, text)
    if (!back.ok) return back
  }
  return ok(undefined)
}
