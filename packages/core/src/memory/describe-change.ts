/** Describes a change in one sentence, for a model and a person. */
import { memoryFileName } from './memory-file-name.ts'
import type { MemoryTarget } from './memory-op.ts'

const NEARLY_FULL = 0.9

export interface DescribedChange {
  readonly evicted: readonly unknown[]
  readonly added: number
  readonly replaced: number
  readonly removed: number
  readonly writes: boolean
  readonly backupPath?: string | undefined
}

const counted = (count: number, verb: string): readonly string[] =>
  count === 0 ? [] : [`${verb} ${count} ${count === 1 ? 'entry' : 'entries'}`]

const madeRoom = (count: number): string =>
  count === 1 ? '1 older entry was moved to the archive to make room.' : `${count} older entries were moved to the archive to make room.`

export const describeChange = (target: MemoryTarget, change: DescribedChange, usedChars: number, charLimit: number): string => {
  const file = memoryFileName(target)
  const done = [...counted(change.added, 'added'), ...counted(change.replaced, 'replaced'), ...counted(change.removed, 'removed')].join(
    ', ',
  )
  const sentences = [change.writes ? `${file}: ${done}.` : `${file} holds this already; nothing changed.`]
  if (change.backupPath !== undefined) {
    sentences.push(`White space around its entries was tidied; the file as it was is at '${change.backupPath}'.`)
  }
  if (change.evicted.length > 0) sentences.push(madeRoom(change.evicted.length))
  if (change.writes && change.evicted.length === 0 && usedChars >= charLimit * NEARLY_FULL && usedChars > 0) {
    sentences.push('The store is nearly full: merge related entries or remove stale ones before adding more.')
  }
  return sentences.join(' ')
}
