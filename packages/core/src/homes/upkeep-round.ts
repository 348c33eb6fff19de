/**
 * The round over all owners: where it stands is kept in the storage, so that the next call goes on there, in whichever process, and two calls at once share the
 * owners. The order is that of a mark of each owner, since a name must not outlive its erasure.
 */
import { z } from 'zod'
import { fingerprint } from '../shared/fingerprint.ts'
import { pause } from '../shared/pause.ts'
import { ok, type Result } from '../shared/result.ts'
import { updateJsonDocument } from '../storage/json-document.ts'
import type { StorageBackend } from '../storage/storage-backend.ts'
import { HOMES_FOLDER } from '../storage/storage-paths.ts'
import { type OwnerId, ownerKey } from './owner.ts'

const ROUND_PATH = `${HOMES_FOLDER}/.upkeep.json`

const roundSchema = z.object({
  version: z.literal(1),
  /** The mark of the owner that was taken last; `''`: the round begins. */
  after: z.string(),
})

export interface TakenOwners {
  readonly owners: readonly OwnerId[]
  /** They are the last of the round; the next one begins anew. */
  readonly isEnd: boolean
}

export interface UpkeepRound {
  /** The next owners that nobody has taken in this round: at most so many. A crash costs those it had taken until the next round. */
  take(count: number): Promise<Result<TakenOwners>>
}

interface MarkedOwner {
  readonly owner: OwnerId
  readonly mark: string
}

/** Some milliseconds of work, before everything else that waits has its turn. */
const OWNERS_AT_ONCE = 1_000
/** A mark is evenly spread, so that its first characters make parts of the same size. */
const PART_CHARS = 2

/** In parts, since one sort of 100,000 owners holds the process for a third of a second. */
const inOrder = async (owners: readonly OwnerId[]): Promise<readonly MarkedOwner[]> => {
  const parts = new Map<string, MarkedOwner[]>()
  for (const [index, owner] of owners.entries()) {
    if (index % OWNERS_AT_ONCE === OWNERS_AT_ONCE - 1) await pause()
    const mark = fingerprint(ownerKey(owner))
    const part = mark.slice(0, PART_CHARS)
    const marked = parts.get(part)
    if (marked) marked.push({ owner, mark })
    else parts.set(part, [{ owner, mark }])
  }
  const ordered: MarkedOwner[] = []
  let sorted = 0
  for (const part of [...parts.keys()].sort()) {
    const marked = (parts.get(part) ?? []).sort((a, b) => (a.mark < b.mark ? -1 : 1))
    for (const each of marked) ordered.push(each)
    sorted += marked.length
    if (sorted < OWNERS_AT_ONCE) continue
    sorted = 0
    await pause()
  }
  return ordered
}

/** The index of the first owner behind the mark. */
const firstBehind = (ordered: readonly MarkedOwner[], after: string): number => {
  let [low, high] = [0, ordered.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((ordered[middle]?.mark ?? '') > after) high = middle
    else low = middle + 1
  }
  return low
}

export const upkeepRound = async (storage: StorageBackend, owners: readonly OwnerId[]): Promise<UpkeepRound> => {
  const ordered = await inOrder(owners)
  return {
    async take(count) {
      let taken: TakenOwners = { owners: [], isEnd: true }
      const written = await updateJsonDocument(storage, ROUND_PATH, roundSchema, (current) => {
        const first = firstBehind(ordered, current?.after ?? '')
        const next = ordered.slice(first, first + count)
        const isEnd = first + next.length === ordered.length
        taken = { owners: next.map(({ owner }) => owner), isEnd }
        return { version: 1 as const, after: isEnd ? '' : (next.at(-1)?.mark ?? '') }
      })
      return written.ok ? ok(taken) : written
    },
  }
}
