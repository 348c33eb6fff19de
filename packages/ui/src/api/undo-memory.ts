/** Undoes a write to memory through the store: what it added goes, what it took away comes back with its origin and age. */

import { type Hermes, type MemoryOp, type MemoryOpOutcome, type MemoryTarget, ok, type Result } from '@hermes/core'
import type { EntryDates } from '@hermes/core/memory'

/** From the archive, where everything is that a write took away. */
const restoreText = async (hermes: Hermes, target: MemoryTarget, text: string): Promise<Result<unknown>> => {
  const store = hermes.memoryStore()
  const archived = await store.archived(target)
  if (!archived.ok) return archived
  const found = archived.value.find((entry) => entry.text === text)
  return found ? store.restore(found.id) : ok(undefined)
}

const undoOne = async (
  hermes: Hermes,
  target: MemoryTarget,
  op: MemoryOp,
  before: string | undefined,
  facts: EntryDates | undefined,
): Promise<Result<unknown>> => {
  if (op.action === 'remove') return before === undefined ? ok(undefined) : restoreText(hermes, target, before)
  const store = hermes.memoryStore()
  if (op.action === 'add' || before === undefined) return store.apply(target, { action: 'remove', oldText: op.content })
  const source = facts && (facts.origin === 'external' ? { origin: facts.origin } : { ...facts, origin: facts.origin })
  return store.takeBack(target, { action: 'replace', oldText: op.content, content: before }, source)
}

/** `present`: the entries before the write; one that was added again stays. */
export const undoMemoryWrite = async (
  hermes: Hermes,
  ops: readonly MemoryOp[],
  { target, previous, evicted = [], facts = [] }: MemoryOpOutcome,
  present: readonly string[],
): Promise<Result<void>> => {
  const taken = [...previous]
  const befores = ops.map((op) => (op.action === 'add' ? undefined : taken.shift()))
  for (const [index, op] of [...ops.entries()].reverse()) {
    const former = facts[index]?.previous
    const stood = op.action === 'add' && present.includes(op.content.trim()) ? op.content.trim() : undefined
    // It was there; the write may have given it another origin.
    if (stood !== undefined && former === undefined) continue
    const undone = await (stood === undefined
      ? undoOne(hermes, target, op, befores[index], former)
      : undoOne(hermes, target, { action: 'replace', oldText: stood, content: stood }, stood, former))
    if (!undone.ok) return undone
  }
  for (const { text } of evicted) {
    const back = await restoreText(hermes, target, text)
    if (!back.ok) return back
  }
  return ok(undefined)
}
