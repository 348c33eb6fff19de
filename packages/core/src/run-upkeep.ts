/**
 * One call of `homes.upkeep()`: tends the next homes of the round, a few at a time, up to the limits of number and time. The position is stored, so that the next
 * call continues there in any process, and concurrent calls share the owners.
 */
import * as z from 'zod/mini'
import type { OwnerId } from './homes/owner.ts'
import type { TendedHome } from './session/tidy-home.ts'
import type { Clock } from './shared/clock.ts'
import { ok, type Result } from './shared/result.ts'
import { updateJsonDocument } from './storage/json-document.ts'
import type { StorageBackend } from './storage/storage-backend.ts'
import { HOMES_FOLDER } from './storage/storage-paths.ts'

export interface UpkeepOptions {
  /** Maximum number of homes in this call. Default 100. */
  readonly maxHomes?: number
  /** Milliseconds after which no further home is started. Default 60,000. */
  readonly timeLimitMs?: number
  /** After it aborts, no further home is started. */
  readonly signal?: AbortSignal
}

export interface UpkeepReport {
  /** Number of homes tended. */
  readonly homes: number
  /** Number of homes in which a due review read turns; needs `review.model`. The result of each review is an event. */
  readonly reviews: number
  readonly curatorRuns: number
  /** True if this call ended the round; the next call starts with the first home again. */
  readonly roundFinished: boolean
}

export interface UpkeepHomes {
  readonly storage: StorageBackend
  /** In the same order in each call. */
  readonly owners: readonly OwnerId[]
  readonly clock: Clock
  /** Never rejects. */
  readonly tend: (owner: OwnerId, signal: AbortSignal) => Promise<TendedHome>
}

const HOMES_AT_ONCE = 4
const MAX_HOMES = 100
const TIME_LIMIT_MS = 60_000
const NEVER = new AbortController().signal

const ROUND_PATH = `${HOMES_FOLDER}/.upkeep.json`

const roundSchema = /* @__PURE__ */ z.lazy(() =>
  z.object({
    version: z.literal(1),
    /** How many owners of the list were taken in this round. A number, since a name would outlive its erasure. */
    taken: z.int().check(z.gte(0)),
  }),
)

export interface TakenOwners {
  readonly owners: readonly OwnerId[]
  /** True if these are the last owners of the round. */
  readonly isEnd: boolean
}

/**
 * The next owners of the round, at most `count`. If owners before them were registered or erased since the last call, as many have their turn twice, or wait for
 * the next round; so do owners whose process died.
 */
export const takeOwners = async (storage: StorageBackend, owners: readonly OwnerId[], count: number): Promise<Result<TakenOwners>> => {
  let first = 0
  const written = await updateJsonDocument(storage, ROUND_PATH, roundSchema, (round) => {
    first = round && round.taken < owners.length ? round.taken : 0
    const taken = first + count
    return { version: 1 as const, taken: taken < owners.length ? taken : 0 }
  })
  return written.ok ? ok({ owners: owners.slice(first, first + count), isEnd: first + count >= owners.length }) : written
}

export const runUpkeep = async (options: UpkeepOptions, { storage, owners, clock, tend }: UpkeepHomes): Promise<Result<UpkeepReport>> => {
  const { maxHomes = MAX_HOMES, timeLimitMs = TIME_LIMIT_MS, signal = NEVER } = options
  const until = clock() + timeLimitMs
  let report: UpkeepReport = { homes: 0, reviews: 0, curatorRuns: 0, roundFinished: false }
  while (!report.roundFinished && report.homes < maxHomes && clock() <= until && !signal.aborted) {
    const taken = await takeOwners(storage, owners, Math.min(HOMES_AT_ONCE, maxHomes - report.homes))
    if (!taken.ok) return taken
    const tended = await Promise.all(taken.value.owners.map((owner) => tend(owner, signal)))
    report = {
      homes: report.homes + tended.length,
      reviews: report.reviews + tended.reduce((sum, { reviews }) => sum + reviews, 0),
      curatorRuns: report.curatorRuns + tended.filter(({ curator }) => curator?.ran === true).length,
      roundFinished: taken.value.isEnd,
    }
  }
  return ok(report)
}
