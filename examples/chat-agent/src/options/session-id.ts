/** Names for sessions that a person did not name. */
import { randomBytes } from 'node:crypto'

/** Readable and fresh: `chat-20261121-a1b2c3`. */
export const freshSessionId = (now: Date): string =>
  `chat-${now.toISOString().slice(0, 10).replaceAll('-', '')}-${randomBytes(3).toString('hex')}`
