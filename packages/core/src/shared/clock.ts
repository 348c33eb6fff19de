/** Time is injected everywhere: a clock returns epoch milliseconds (seed 000). */
export type Clock = () => number

/** The only place that reads the machine's time. */
export const systemClock: Clock = () => Date.now()
