/** Keeps a text that was forgotten after a decision from coming back when the decision is undone. */
import { err, type Hermes, HermesError, type JournalRecord, type PendingProposal } from '@hermes/core'
import type { Undo } from './undo-list.ts'

/** More than one decision writes. */
const MAX_NEW = 100

const FORGOTTEN = 'This can no longer be undone: something in it was forgotten meanwhile, and stays so.'

const newest = async (hermes: Hermes, since: number): Promise<readonly JournalRecord[]> => {
  const listed = await hermes.journal.list({ since, limit: MAX_NEW })
  return listed.ok ? listed.value : []
}

/** `undo`, which is refused once the journal's record of the decision, just written, has been changed: only forgetting does so. */
export const unlessForgotten = async (hermes: Hermes, { ops, at }: PendingProposal, undo: Undo): Promise<Undo> => {
  const wanted = new Set(ops.map((op) => JSON.stringify(op)))
  const written = (await newest(hermes, at)).filter(({ op, kind }) => kind !== 'held' && op && wanted.has(JSON.stringify(op)))
  return async () => {
    if (written.length === 0) return undo()
    const listed = await hermes.journal.list({ since: at })
    if (!listed.ok) return listed
    const present = new Map(listed.value.map((record) => [record.id, JSON.stringify(record)]))
    const isWhole = written.every((record) => present.get(record.id) === JSON.stringify(record))
    return isWhole ? undo() : err(new HermesError('not_found', FORGOTTEN))
  }
}
