/** What a change of the page left in the journal, by which it can be undone, also after a restart. */
import { type Hermes, type JournalRecord, ok, type Result } from '@hermes/core'
import type { Undone } from '@hermes/core/journal'
import type { DoneView } from './views.ts'

/** A change that was carried out. */
export interface Change {
  /** What was done. */
  readonly message: string
  /** One test for each act that the change wrote, by what it was about; none if nothing was written. */
  readonly acts: readonly ((record: JournalRecord) => boolean)[]
}

/** More than one decision writes, apart from a merge, which any of its records stands for. */
const MAX_NEW = 100

const newest = (hermes: Hermes): Promise<Result<readonly JournalRecord[]>> => hermes.journal.list({ limit: MAX_NEW })

/**
 * The id of one record for each act of the change. Others write at the same time: a record counts only if it is new and about what the change was about. Undefined if
 * an act is not there, or there are two of which either might be the change's.
 */
const idsOf = ({ acts }: Change, before: readonly JournalRecord[], after: readonly JournalRecord[]): readonly string[] | undefined => {
  const known = new Set(before.map(({ id }) => id))
  const written = after.filter(
    ({ id, actor, undoes }) => !known.has(id) && (actor === 'person' || actor === 'host') && undoes === undefined,
  )
  const ids: string[] = []
  for (const isOfAct of acts) {
    // All records of a decision are undone together.
    const found = new Map(written.filter(isOfAct).map(({ id, at, pendingId }) => [pendingId === undefined ? id : `${pendingId} ${at}`, id]))
    if (found.size !== 1) return undefined
    ids.push(...found.values())
  }
  return ids.length === 0 ? undefined : ids
}

const SEPARATOR = ','

/** Carries a change out, and tells how to undo it, if it can be undone and its records can be told from those of others. */
export const undoable = async (hermes: Hermes, carryOut: (hermes: Hermes) => Promise<Result<Change>>): Promise<Result<DoneView>> => {
  const before = await newest(hermes)
  const done = await carryOut(hermes)
  if (!done.ok) return done
  const after = await newest(hermes)
  const ids = before.ok && after.ok ? idsOf(done.value, before.value, after.value) : undefined
  const isPossible = ids !== undefined && (await hermes.undo(ids, { dryRun: true })).ok
  return ok({ message: done.value.message, undo: isPossible ? ids.join(SEPARATOR) : undefined })
}

const describe = ({ records, steps }: Undone): string => {
  const [first] = steps
  const isRejected = records.some(({ kind }) => kind === 'rejected')
  if (steps.some(({ kind }) => kind === 'put-back' || kind === 'no-proposal')) {
    const what = !isRejected ? 'The approval is undone.' : records.length === 1 ? 'The rejection is undone.' : 'The edited text is gone.'
    return steps.some(({ kind }) => kind === 'put-back') ? `${what} It waits again.` : what
  }
  if (first?.kind === 'pin-entry' || first?.kind === 'pin-skill') return first.pinned ? 'Pinned again.' : 'Unpinned again.'
  if (first?.kind === 'archive-skill') return `'${first.name}' is in the archive.`
  if (first?.kind === 'restore-skill') return `'${first.name}' is back; its age starts anew.`
  return first?.kind === 'memory' || first?.kind === 'restore-entry' ? 'The entry is as it was.' : 'Undone.'
}

/** `undo`: as `undoable` returned it. */
export const undoChange = async (hermes: Hermes, undo: string): Promise<Result<DoneView>> => {
  const undone = await hermes.undo(undo.split(SEPARATOR))
  return undone.ok ? ok({ message: describe(undone.value), undo: undefined }) : undone
}
