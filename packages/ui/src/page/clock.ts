/** The browser's clock, in epoch milliseconds. */
export const now = (): number => Date.now()

const DAY_MS = 86_400_000

/** The last millisecond of the present UTC day. */
export const endOfDay = (): number => (Math.floor(now() / DAY_MS) + 1) * DAY_MS - 1
