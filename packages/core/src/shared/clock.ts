/** Returns epoch milliseconds. Time is injected everywhere (seed 000). */
export type Clock = () => number

/** The only place that reads the system time. */
export const systemClock: Clock = () => Date.now()
