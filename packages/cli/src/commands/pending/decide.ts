/** Finds proposals by their ids, and decides about them. */

import { err, type Hermes, HermesError, type MemoryOp, type MemoryTarget, ok, type PendingProposal, type Result } from '@hermes/core'
import { type Answer, type Failure, failed, type Refusal } from '../../answer.ts'
import type { Context } from '../../context.ts'
import { findById, shortId } from '../../find-by-id.ts'
import { oneLine } from '../../terminal/clean-text.ts'
import { editText } from '../../terminal/edit-text.ts'
import { hint } from '../../terminal/field-list.ts'
import { relativeTime } from '../../terminal/format.ts'
import { truncate } from '../../terminal/text-width.ts'
import { summariseOp } from '../journal/describe-op.ts'
import { openJournal, openPending } from '../journal/read-journal.ts'

export type Decision = 'approve' | 'reject'

const DONE = { approve: 'approved', reject: 'rejected' } as const

/** How a proposal that no longer waits was decided; `undefined` if the journal does not know it. */
const pastDecision = async (id: string, context: Context): Promise<Failure | undefined> => {
  const listed = await openJournal(context).list({ id })
  const decided = listed.ok ? listed.value.findLast(({ pendingId, kind }) => pendingId !== undefined && kind !== 'held') : undefined
  if (!decided) return undefined
  const how = { applied: 'was approved', rejected: 'was rejected', settled: 'was confirmed by the user' }[String(decided.kind)]
  return {
    code: 'not_found',
    message: `The proposal '${id}' no longer waits: it ${how ?? 'was decided'} ${relativeTime(decided.at, context.clock())}. 'hermes journal show ${shortId(decided.id)}' shows it.`,
  }
}

/** Finds every id before anything is decided, so that one wrong id leaves everything unchanged. Takes the id of its record, too. */
export const findAll = async (ids: readonly string[], context: Context): Promise<readonly PendingProposal[] | Refusal> => {
  const listed = await openPending(context).list()
  if (!listed.ok) return failed(listed.error)
  const found = new Map<string, PendingProposal>()
  for (const id of ids) {
    let match = findById(listed.value, id, 'hermes pending')
    if (!match.ok && match.error.code === 'not_found' && id !== '') {
      const records = await openJournal(context).list({ id, kind: 'held' })
      const held = records.ok ? records.value.find((record) => record.id.startsWith(id))?.pendingId : undefined
      match = listed.value.some((proposal) => proposal.id === held) ? findById(listed.value, held ?? '', 'hermes pending') : match
    }
    if (!match.ok) return failed((match.error.code === 'not_found' && id !== '' && (await pastDecision(id, context))) || match.error)
    found.set(match.value.id, match.value)
  }
  return [...found.values()]
}

export const decide = async (decision: Decision, found: readonly PendingProposal[], context: Context): Promise<Answer> => {
  const decided: PendingProposal[] = []
  const show = (): Pick<Answer, 'value' | 'text'> => ({
    value: {
      [DONE[decision]]: decided.map(({ id, target, project, ops }) => ({ id, target, ...(project === undefined ? {} : { project }), ops })),
    },
    text: (terminal) => {
      const { columns, paint } = terminal
      const lines = decided
        .map(({ id, ops, ...place }) => {
          const what = [...ops].map((op) => summariseOp(op, place)).join('; ')
          const line = truncate(`${DONE[decision]}  ${shortId(id)}  ${oneLine(what)}`, columns)
          return `${decision === 'approve' ? paint.green(line.slice(0, 8)) + line.slice(8) : line}\n`
        })
        .join('')
      if (decided.length === 0) return ''
      const which = decided.length === 1 ? 'it' : 'the last one'
      return lines + hint(`'hermes undo' takes ${which} back: the proposal waits again.`, terminal)
    },
  })
  const { openWithProvider } = await import('../../open-hermes.ts')
  const { pending } = await openWithProvider(context)
  for (const proposal of found) {
    const outcome = await pending[decision](proposal.id)
    if (!outcome.ok) return { ...show(), ...failed(outcome.error) }
    decided.push(proposal)
  }
  return show()
}

export type Outcome = 'approved' | 'rejected' | 'edited' | 'unchanged'

interface Editable {
  readonly target: MemoryTarget
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
): Promise<Result<Outcome>> => {
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
  const written = await hermes.memoryStore({ project: proposal.project }).apply(target, { ...op, content }, { origin: 'user' })
  if (!written.ok) {
    const { code, message } = written.error
    return err(new HermesError(code, `${message} Your text is kept in ${draft.value.path}.`))
  }
  await draft.value.discard()
  const rejected = await hermes.pending.reject(proposal.id)
  return rejected.ok ? ok('edited') : rejected
}
