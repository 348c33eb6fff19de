/** What a change of the page left in the journal, by which it can be undone, also after a restart. */
import { type Hermes, type JournalRecord, ok, type Result } from '@hermes/core'
import type { Undone } from '@hermes/core/journal'
import type { DoneView } from './views.ts'

/** More than one decision writes, apart from a merge, which any of its records stands for. */
const MAX_NEW = 100

const newest = async (hermes: Hermes): Promise<readonly JournalRecord[]> => {
  const listed = await hermes.journal.list({ limit: MAX_NEW })
  return listed.ok ? listed.value : []
}

/** Ids of what people and the host's code wrote since, one for each decision. */
const writtenSince = async (hermes: Hermes, before: readonly JournalRecord[]): Promise<readonly string[]> => {
  const known = new Set(before.map(({ id }) => id))
  const written = (await newest(hermes)).filter(({ id, actor, kind }) => {
    return !known.has(id) && (actor === 'person' || actor === 'host') && (kind === 'applied' || kind === 'rejected')
  })
  const acts = new Map(written.map(({ id, kind, pendingId }) => [pendingId === undefined ? id : `${kind} ${pendingId}`, id]))
  return [...acts.values()]
}

const SEPARATOR = ','

/** Carries a change out, and tells how to undo it, if it can be undone. `change` returns what was done. */
export const undoable = async (hermes: Hermes, change: (hermes: Hermes) => Promise<Result<string>>): Promise<Result<DoneView>> => {
  const before = await newest(hermes)
  const done = await change(hermes)
  if (!done.ok) return done
  const ids = await writtenSince(hermes, before)
  const isPossible = ids.length > 0 && (await hermes.undo(ids, { dryRun: true })).ok
  return ok({ message: done.value, undo: isPossible ? ids.join(SEPARATOR) : undefined })
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
