/** What a person does with one proposal that waits. */
import { err, type Hermes, HermesError, type MemoryOp, ok, type PendingProposal, type Result } from '@hermes/core'
import type { Context } from '../../context.ts'
import { editText } from '../../terminal/edit-text.ts'

export type Decision = 'approved' | 'rejected' | 'edited' | 'unchanged'

interface Editable {
  readonly target: 'memory' | 'user'
  readonly op: Exclude<MemoryOp, { readonly action: 'remove' }>
}

/** Undefined for what has no text of its own to change, and for several changes that belong together. */
export const editableOf = ({ target, ops }: PendingProposal): Editable | undefined => {
  const [op, ...more] = ops
  if (target === 'skill' || more.length > 0 || op === undefined) return undefined
  return op.action === 'add' || op.action === 'replace' ? { target, op: op as Editable['op'] } : undefined
}

const EMPTY = "The text is empty, so nothing was written: 'n' drops the proposal."

/**
 * Writes the person's own text in the place of the proposed one, and then rejects the proposal. A text that is refused is kept. `begin` is
 * called once the editor has ended, before the first write.
 */
export const editProposal = async (
  proposal: PendingProposal,
  hermes: Hermes,
  { world }: Context,
  begin: () => void,
): Promise<Result<Decision>> => {
  const editable = editableOf(proposal)
  if (!editable) return err(new HermesError('invalid', 'There is no text to change here. Approve or reject it.'))
  const { target, op } = editable
  const draft = await editText(`${op.content}\n`, 'entry.txt', world)
  if (!draft.ok) return draft
  const content = draft.value.text.trim()
  if (content === '' || content === op.content.trim()) {
    await draft.value.discard()
    return content === '' ? err(new HermesError('invalid', EMPTY)) : ok('unchanged')
  }
  begin()
  const written = await hermes.memoryStore().apply(target, { ...op, content }, { origin: 'user' })
  if (!written.ok) {
    const { code, message } = written.error
    return err(new HermesError(code, `${message} Your text is kept in ${draft.value.path}.`))
  }
  await draft.value.discard()
  const rejected = await hermes.pending.reject(proposal.id)
  return rejected.ok ? ok('edited') : rejected
}
