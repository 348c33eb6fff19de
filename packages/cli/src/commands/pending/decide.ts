/** Finds proposals by their ids, and decides about them. */
import type { PendingProposal } from '@hermes/core'
import { type Answer, type Failure, failed } from '../../answer.ts'
import type { Context } from '../../context.ts'
import { findById, shortId } from '../../find-by-id.ts'
import { oneLine } from '../../terminal/clean-text.ts'
import { hint } from '../../terminal/hint.ts'
import { relativeTime } from '../../terminal/relative-time.ts'
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
export const findAll = async (ids: readonly string[], context: Context): Promise<readonly PendingProposal[] | Answer> => {
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

export const isList = (found: readonly PendingProposal[] | Answer): found is readonly PendingProposal[] => Array.isArray(found)

export const decide = async (decision: Decision, found: readonly PendingProposal[], context: Context): Promise<Answer> => {
  const decided: PendingProposal[] = []
  const show = (): Pick<Answer, 'value' | 'text'> => ({
    value: { [DONE[decision]]: decided.map(({ id, target, ops }) => ({ id, target, ops })) },
    text: (terminal) => {
      const { columns, paint } = terminal
      const lines = decided
        .map(({ id, target, ops }) => {
          const what = [...ops].map((op) => summariseOp(op, target)).join('; ')
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
