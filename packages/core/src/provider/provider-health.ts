/** Whether a provider is called or skipped for a while. Pure. */

export const FIRST_PAUSE_MS = 30_000
export const LONGEST_PAUSE_MS = 300_000
/** Failures in a row that pause a provider. A time-out does so at once, since it may have delayed a turn. */
export const MAX_FAILURES = 3

export interface ProviderHealth {
  /** Failures since the last success. */
  readonly failures: number
  /** Pauses since the last success. */
  readonly pauses: number
  /** Epoch milliseconds. At this time the provider may be tried again. */
  readonly pausedUntil: number | undefined
}

export const HEALTHY: ProviderHealth = { failures: 0, pauses: 0, pausedUntil: undefined }

/** A pause later than the longest one comes from a clock that was set back since. */
export const isSkipped = ({ pausedUntil }: ProviderHealth, at: number): boolean =>
  pausedUntil !== undefined && at < pausedUntil && pausedUntil - at <= LONGEST_PAUSE_MS

/** The health after a failure; `isPaused`: a pause has begun with it. After a pause, the first failure begins the next one. */
export const afterFailure = (
  health: ProviderHealth,
  { at, tookTooLong }: { readonly at: number; readonly tookTooLong: boolean },
): { readonly health: ProviderHealth; readonly isPaused: boolean } => {
  const failures = health.failures + 1
  if (isSkipped(health, at)) return { health: { ...health, failures }, isPaused: false }
  if (!tookTooLong && failures < MAX_FAILURES && health.pauses === 0) return { health: { ...health, failures }, isPaused: false }
  const pausedUntil = at + Math.min(FIRST_PAUSE_MS * 2 ** health.pauses, LONGEST_PAUSE_MS)
  return { health: { failures, pauses: health.pauses + 1, pausedUntil }, isPaused: true }
}
