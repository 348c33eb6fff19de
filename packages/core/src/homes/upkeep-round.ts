/**
 * The upkeep round over all owners. The position is stored, so that the next call continues there in any process, and concurrent calls share the owners. Owners
 * are ordered by a fingerprint, so that the stored position does not reveal the name of an erased owner.
 */
import * as z from 'zod/mini'
import { fingerprint } from '../shared/fingerprint.ts'
import { pause } from '../shared/pause.ts'
import { ok, type Result } from '../shared/result.ts'
import { updateJsonDocument } from '../storage/json-document.ts'
import type { StorageBackend } from '../storage/storage-backend.ts'
import { HOMES_FOLDER } from '../storage/storage-paths.ts'
import { type OwnerId, ownerKey } from './owner.ts'

const ROUND_PATH = `${HOMES_FOLDER}/.upkeep.json`

const roundSchema = /* @__PURE__ */ z.lazy(() =>
  z.object({
    version: z.literal(1),
    /** The mark of the last owner taken; `''` at the start of a round. */
    after: z.string(),
  }),
)

export interface TakenOwners {
  readonly owners: readonly OwnerId[]
  /** True if these are the last owners of the round. */
  readonly isEnd: boolean
}

export interface UpkeepRound {
  /** At most `count` owners that were not taken yet in this round. After a crash, the owners it had taken wait for the next round. */
  take(count: number): Promise<Result<TakenOwners>>
}

interface MarkedOwner {
  readonly owner: OwnerId
  readonly mark: string
}

/** Owners that are processed before other work can run: some milliseconds. */
const OWNERS_AT_ONCE = 1_000
/** Marks are evenly distributed, so their first characters split the owners into parts of equal size. */
const PART_CHARS = 2

/** Sorts in parts, because sorting 100,000 owners at once blocks the event loop for a third of a second. */
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

/** The index of the first owner after the mark. */
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
