/** One call of `homes.upkeep()`: tends the next homes of the round, a few at a time, up to the limits of number and time. */
import type { OwnerId } from './homes/owner.ts'
import type { UpkeepRound } from './homes/upkeep-round.ts'
import type { TendedHome, TendHomeOptions } from './session/tidy-home.ts'
import type { Clock } from './shared/clock.ts'
import { withLate } from './shared/load-late.ts'
import { ok, type Result } from './shared/result.ts'

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

export interface RunUpkeepOptions extends UpkeepOptions {
  readonly clock: Clock
  readonly round: UpkeepRound
  /** Never rejects. */
  readonly tend: (owner: OwnerId, signal: AbortSignal) => Promise<TendedHome>
}

const HOMES_AT_ONCE = 4
const MAX_HOMES = 100
const TIME_LIMIT_MS = 60_000
const NEVER = new AbortController().signal

export const runUpkeep = async (options: RunUpkeepOptions): Promise<Result<UpkeepReport>> => {
  const { clock, round, tend, maxHomes = MAX_HOMES, timeLimitMs = TIME_LIMIT_MS, signal = NEVER } = options
  const until = clock() + timeLimitMs
  let report: UpkeepReport = { homes: 0, reviews: 0, curatorRuns: 0, roundFinished: false }
  while (!report.roundFinished && report.homes < maxHomes && clock() <= until && !signal.aborted) {
    const taken = await round.take(Math.min(HOMES_AT_ONCE, maxHomes - report.homes))
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

/** Tends one home. Its code is loaded at the first call. Never rejects. */
export const tend = async (options: TendHomeOptions): Promise<TendedHome> => {
  const tended = await withLate(
    'The code of upkeep',
    () => import('./session/tidy-home.ts'),
    async ({ tendHome }) => ok(await tendHome(options)),
  )
  if (tended.ok) return tended.value
  options.onFailure('upkeep', tended.error)
  return { reviews: 0, curator: undefined }
}
