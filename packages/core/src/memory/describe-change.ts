/** What is told of a written change: the result for its caller, with a sentence for a model and a person, and the entries that came and went. Pure. */

import { holdsCredential } from '../threats/credentials/find-credentials.ts'
import { REDACTED } from '../threats/credentials/redact-credentials.ts'
import type { WrittenChange } from './change-memory.ts'
import { describeTime } from './entry-time.ts'
import { archivedEntryId } from './memory-archive.ts'
import { formatUsage, memoryFileName } from './memory-document.ts'
import type { EvictedEntry, MemoryOpOutcome, MemoryTarget } from './memory-op.ts'

const NEARLY_FULL = 0.9

/** For 'It counts as …'. */
export const ORIGIN_WORDS = {
  user: "the user's words",
  host: "the host's own text",
  assistant: "the agent's note",
  tool: 'text from outside',
  external: 'written by hand',
} as const

export type DescribedChange = Pick<WrittenChange, 'added' | 'replaced' | 'removed' | 'writes' | 'backupPath'> & {
  readonly evicted: readonly unknown[]
  readonly raised?: WrittenChange['raised']
  readonly facts?: WrittenChange['facts']
}

const counted = (count: number, verb: string): readonly string[] =>
  count === 0 ? [] : [`${verb} ${count} ${count === 1 ? 'entry' : 'entries'}`]

const madeRoom = (count: number): string =>
  count === 1 ? '1 older entry was moved to the archive to make room.' : `${count} older entries were moved to the archive to make room.`

export const describeChange = (target: MemoryTarget, change: DescribedChange, usedChars: number, charLimit: number): string => {
  const file = memoryFileName(target)
  const { raised = [], facts = [] } = change
  const isAsBefore = facts.every(({ previous }) => previous === undefined)
  const done = [...counted(change.added, 'added'), ...counted(change.replaced, 'replaced'), ...counted(change.removed, 'removed')].join(
    ', ',
  )
  const sentences = [change.writes ? `${file}: ${done}.` : `${file} holds this already${isAsBefore ? '; nothing changed' : ''}.`]
  for (const origin of new Set(raised))
    sentences.push(`${change.writes ? 'What was there already' : 'It'} now counts as ${ORIGIN_WORDS[origin]}.`)
  for (const time of new Set(facts.map(({ content }) => (content ? describeTime(content) : ''))))
    if (time !== '') sentences.push(`It is shown ${time}.`)
  if (change.backupPath !== undefined) {
    sentences.push(`White space around its entries was tidied; the file as it was is at '${change.backupPath}'.`)
  }
  if (change.evicted.length > 0) sentences.push(madeRoom(change.evicted.length))
  if (change.writes && change.evicted.length === 0 && usedChars >= charLimit * NEARLY_FULL && usedChars > 0) {
    sentences.push('The store is nearly full: merge related entries or remove stale ones before adding more.')
  }
  return sentences.join(' ')
}

interface RemovedEntry {
  /** Verbatim; `[redacted: looks like a secret]` if the entry held a secret. */
  readonly text: string
  /** For `restore`. Undefined if only white space was lost, and for a secret, which is not stored. */
  readonly archivedId?: string
}

export interface EntryChanges {
  readonly added: readonly string[]
  /** Replaced or removed. */
  readonly removed: readonly RemovedEntry[]
  /** Archived to make room. */
  readonly evicted: readonly RemovedEntry[]
}

/** All three lists are empty if no entry was added or removed. */
export const describeEntryChanges = (
  target: MemoryTarget,
  { before, entries, lost: notKept }: Pick<WrittenChange, 'before' | 'entries' | 'lost'>,
  evicted: readonly EvictedEntry[] = [],
): EntryChanges => {
  const [had, has] = [new Set(before), new Set(entries)]
  const lost = new Set(notKept.map(({ text }) => text))
  const crowdedOut = new Set(evicted.map(({ text }) => text))
  const gone = [...had].filter((entry) => !has.has(entry))
  const describe = (text: string): RemovedEntry => {
    if (holdsCredential(text)) return { text: REDACTED }
    return lost.has(text) ? { text, archivedId: archivedEntryId(target, text) } : { text }
  }
  return {
    added: [...has].filter((entry) => !had.has(entry)),
    removed: gone.filter((text) => !crowdedOut.has(text)).map(describe),
    evicted: gone.filter((text) => crowdedOut.has(text)).map(describe),
  }
}

/** `charLimit`: maximum code points of the store. */
export const toOutcome = (target: MemoryTarget, change: WrittenChange, charLimit: number): MemoryOpOutcome => {
  const { usedChars, backupPath, previous, evicted, facts } = change
  return {
    target,
    message: describeChange(target, change, usedChars, charLimit),
    entryCount: change.entries.length,
    usedChars,
    charLimit,
    usage: formatUsage(usedChars, charLimit),
    previous,
    ...(evicted.length > 0 ? { evicted } : {}),
    facts,
    ...(backupPath === undefined ? {} : { backupPath }),
  }
}
