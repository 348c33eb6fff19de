/** The open sessions of a home in this process: the same id returns the same session; idle ones are dropped when there are many, and resume from storage. */
import type { ReviewOutcome } from '../review/review-outcome.ts'
import { checkProject } from '../storage/project.ts'
import type { RecordRedactor } from './record-redaction.ts'
import type { OpenOptions } from './session.ts'
import type { OwnedSession } from './session-home.ts'

const MAX_OPEN = 1_000
const MAX_ID_LENGTH = 512

const checkId = (id: string): string => {
  if (typeof id !== 'string' || id === '') throw new TypeError('A session id must be a non-empty string.')
  if (id.length > MAX_ID_LENGTH)
    throw new TypeError(`A session id may have at most ${MAX_ID_LENGTH} characters; this one has ${id.length}.`)
  if (!id.isWellFormed()) throw new TypeError('A session id must be well-formed text; this one holds half a character.')
  return id
}

export class Sessions {
  readonly #create: (id: string, options: OpenOptions) => OwnedSession
  readonly #maxOpen: number
  // A Map keeps insertion order, so the first key is the least recently used.
  readonly #open = new Map<string, OwnedSession>()

  constructor(create: (id: string, options: OpenOptions) => OwnedSession, maxOpen = MAX_OPEN) {
    this.#create = create
    this.#maxOpen = maxOpen
  }

  /** True if nothing is unsaved and no work is running. */
  get idle(): boolean {
    return Array.from(this.#open.values()).every((session) => session.idle)
  }

  /** The checkpoint is used only if the session is newly opened. Throws a TypeError for an open session of another project. */
  get(id: string, { project, checkpoint }: OpenOptions = {}): OwnedSession {
    const open = this.#open.get(checkId(id))
    const session = open?.isOf(checkProject(project)) ? open : this.#create(id, { project, checkpoint })
    this.#open.delete(id)
    this.#open.set(id, session)
    this.#dropIdle()
    return session
  }

  /** Tells the session of a review what it has learned, if it is open. */
  noteLearned(id: string, outcome: ReviewOutcome): void {
    this.#open.get(id)?.noteLearned(outcome)
  }

  async settled(): Promise<void> {
    await Promise.all(Array.from(this.#open.values(), (session) => session.settled()))
  }

  /** Makes the open session, if any, stop saving; the next one of that id starts anew. */
  async forget(id: string): Promise<void> {
    const session = this.#open.get(checkId(id))
    this.#open.delete(id)
    await session?.forget()
  }

  /** The same for all. */
  async forgetAll(): Promise<void> {
    const sessions = [...this.#open.values()]
    this.#open.clear()
    await Promise.all(sessions.map((session) => session.forget()))
  }

  /** Removes a text from all open sessions of this process. */
  async redact(redactor: RecordRedactor): Promise<void> {
    await Promise.all(Array.from(this.#open.values(), (session) => session.redact(redactor)))
  }

  #dropIdle(): void {
    for (const [id, session] of this.#open) {
      if (this.#open.size <= this.#maxOpen) return
      if (session.idle) this.#open.delete(id)
    }
  }
}
