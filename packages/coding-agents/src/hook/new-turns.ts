/** What a session has said since it was last recorded. */
import type { TurnMessage } from '@hermes/core'
import { asCount, asRecord } from '@hermes/core/adapter'
import type { AgentHost } from '../agent-host.ts'
import { type AgentTurn, UNREAD } from '../transcript/agent-turn.ts'
import { type ReadRows, readRows } from '../transcript/read-rows.ts'
import type { Bookmark } from './bookmark.ts'

export interface NewTurns {
  readonly turns: readonly AgentTurn[]
  /** What the model was shown before the first of them and no earlier recording has. */
  readonly before: readonly TurnMessage[]
  /** Up to where this is, as in a bookmark. */
  readonly end: number
  /** What was read of it. */
  readonly rows: readonly unknown[]
}

const atOf = (row: unknown): number => asCount(asRecord(row)['at']) ?? 0

/** As of a file, with the time of the newest row in place of bytes: what a person has undone is gone, so a number of rows says nothing. */
const newRows = (rows: readonly unknown[], from = 0): ReadRows => {
  const known = rows.filter((row) => row !== null)
  const fresh = known.filter((row) => atOf(row) > from)
  const isCut = fresh.length === known.length && known.length < rows.length
  return { rows: fresh, end: Math.max(from, ...known.map(atOf)), isCut, isReplaced: false }
}

/**
 * Without a bookmark the session is not known from its start: then only the newest turn is new. Turns from before the session, as in a copy of a conversation, are
 * never recorded again, nor are those of a transcript that was written anew; that they were in sight is. `conversation`: the path of its transcript, or its
 * rows. `block`: that of the session, which is ours. Rejects if the transcript cannot be read.
 */
export const readNewTurns = async (
  host: AgentHost,
  conversation: string | readonly unknown[],
  bookmark: Bookmark | undefined,
  block: string,
): Promise<NewTurns> => {
  const { rows, end, isCut, isReplaced } =
    typeof conversation === 'string' ? await readRows(conversation, bookmark?.end) : newRows(conversation, bookmark?.end)
  const found = host.turns(rows, (context) => context === block)
  const { since = 0, recordedUntil = 0 } = bookmark ?? {}
  const isNew = ({ at }: AgentTurn) => at === undefined || (at >= since && !(isReplaced && at <= recordedUntil))
  const turns = bookmark ? found.turns.filter(isNew) : found.turns.slice(-1)
  const isUnread = isCut || bookmark?.isUnread !== false || turns.length < found.turns.length
  return { turns, before: [...(isUnread ? [UNREAD] : []), ...found.before], end, rows }
}
