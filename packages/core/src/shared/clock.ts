/** Returns epoch milliseconds. Time is injected everywhere (seed 000). */
export type Clock = () => number

/** The only place that reads the system time. */
export const systemClock: Clock = () => Date.now()

/** The only place that reads the system's time zone. */
export const systemTimeZone = (): string => new Intl.DateTimeFormat().resolvedOptions().timeZone

export const isTimeZone = (given: unknown): given is string => {
  try {
    return typeof given === 'string' && new Intl.DateTimeFormat('en', { timeZone: given }) !== undefined
  } catch {
    return false
  }
}
