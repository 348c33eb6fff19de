/** The open session handles of a process: the same id is the same handle; idle ones are dropped when there are many, and resume from storage. */
import type { OwnedSession } from './create-session.ts'
import type { Session, SessionCheckpoint } from './session.ts'

const MAX_OPEN = 1_000
const MAX_ID_LENGTH = 512

export interface SessionHandles {
  /** `checkpoint` counts only where the handle is opened anew. */
  get(id: string, checkpoint?: SessionCheckpoint): Session
  settled(): Promise<void>
  /** Calls off all reviews under way. */
  stopReviews(): void
  /** The open handle, if there is one, keeps nothing from now on; the next one begins anew. */
  forget(id: string): Promise<void>
}

const checkId = (id: string): string => {
  if (typeof id !== 'string' || id === '') throw new TypeError('A session id must be a text that is not empty.')
  if (id.length > MAX_ID_LENGTH) throw new TypeError(`A session id may have ${MAX_ID_LENGTH} characters; this one has ${id.length}.`)
  if (!id.isWellFormed()) throw new TypeError('A session id must be well-formed text; this one holds half a character.')
  return id
}

export const sessionHandles = (
  create: (id: string, checkpoint?: SessionCheckpoint) => OwnedSession,
  maxOpen = MAX_OPEN,
): SessionHandles => {
  // A Map keeps the order of insertion, so the first key is the one used longest ago.
  const open = new Map<string, OwnedSession>()

  const dropIdle = () => {
    for (const [id, session] of open) {
      if (open.size <= maxOpen) return
      if (session.idle) open.delete(id)
    }
  }

  return {
    get(id, checkpoint) {
      const session = open.get(checkId(id)) ?? create(id, checkpoint)
      open.delete(id)
      open.set(id, session)
      if (open.size > maxOpen) dropIdle()
      return session
    },
    async settled() {
      await Promise.all(Array.from(open.values(), (session) => session.settled()))
    },
    stopReviews() {
      for (const session of open.values()) session.stopReviews()
    },
    async forget(id) {
      const session = open.get(checkId(id))
      open.delete(id)
      await session?.forget()
    },
  }
}
