/** The open session handles of a process: the same id returns the same handle; idle handles are dropped when there are many, and resume from storage. */
import type { TextRedaction } from './record-redaction.ts'
import type { Session, SessionCheckpoint } from './session.ts'

const MAX_OPEN = 1_000
const MAX_ID_LENGTH = 512

/** A session that the composition root can drop from its cache. */
export interface OwnedSession extends Session {
  /** True if nothing is unsaved and no work is running. */
  readonly idle: boolean
  /** Stops saving and reviewing this session. Resolves when no write to its record is running. */
  forget(): Promise<void>
  /** The conversation comes from another session; `tainted`: whether text from outside was in sight there. */
  goesOn(tainted: Promise<boolean>): void
  /** Removes a text from this process's copy of the session, the frozen block included. */
  redact(redaction: TextRedaction): Promise<void>
}

export interface SessionHandles {
  /** `checkpoint` is used only if the handle is newly opened. `isNew`: the id was created for this session. */
  get(id: string, checkpoint?: SessionCheckpoint, isNew?: boolean): OwnedSession
  settled(): Promise<void>
  /** True if nothing is unsaved and no work is running. */
  readonly idle: boolean
  /** Makes the open handle, if any, stop saving; the next handle starts a new session. */
  forget(id: string): Promise<void>
  /** The same for all open handles. */
  forgetAll(): Promise<void>
  /** Removes a text from all open handles of this process. */
  redact(redaction: TextRedaction): Promise<void>
}

const checkId = (id: string): string => {
  if (typeof id !== 'string' || id === '') throw new TypeError('A session id must be a non-empty string.')
  if (id.length > MAX_ID_LENGTH)
    throw new TypeError(`A session id may have at most ${MAX_ID_LENGTH} characters; this one has ${id.length}.`)
  if (!id.isWellFormed()) throw new TypeError('A session id must be well-formed text; this one holds half a character.')
  return id
}

export const sessionHandles = (
  create: (id: string, checkpoint?: SessionCheckpoint, isNew?: boolean) => OwnedSession,
  maxOpen = MAX_OPEN,
): SessionHandles => {
  // A Map keeps insertion order, so the first key is the least recently used.
  const open = new Map<string, OwnedSession>()

  const dropIdle = () => {
    for (const [id, session] of open) {
      if (open.size <= maxOpen) return
      if (session.idle) open.delete(id)
    }
  }

  return {
    get(id, checkpoint, isNew) {
      const session = open.get(checkId(id)) ?? create(id, checkpoint, isNew)
      open.delete(id)
      open.set(id, session)
      dropIdle()
      return session
    },
    async settled() {
      await Promise.all(Array.from(open.values(), (session) => session.settled()))
    },
    get idle() {
      return Array.from(open.values()).every((session) => session.idle)
    },
    async forget(id) {
      const session = open.get(checkId(id))
      open.delete(id)
      await session?.forget()
    },
    async forgetAll() {
      const sessions = [...open.values()]
      open.clear()
      await Promise.all(sessions.map((session) => session.forget()))
    },
    async redact(redaction) {
      await Promise.all(Array.from(open.values(), (session) => session.redact(redaction)))
    },
  }
}
