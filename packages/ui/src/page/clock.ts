/** The browser's clock, in epoch milliseconds. */
export const now = (): number => Date.now()

const DAY_MS = 86_400_000

/** The last millisecond of the present UTC day. */
export const endOfDay = (): number => (Math.floor(now() / DAY_MS) + 1) * DAY_MS - 1

const MINUTE_MS = 60_000

/** The end of this minute: what is asked of the server with it is not asked again at each drawing. */
export const thisMinute = (): number => Math.ceil(now() / MINUTE_MS) * MINUTE_MS
