/**
 * The entries of a home in a queue of due reviews. The home's own review state decides what is due; the queue only lets a worker find it. What could not be added
 * is added after the next turn, or by upkeep.
 */
import { IDLE_AFTER_MS } from '../nudge/review-state.ts'
import type { QueuedReviewKind, ReviewQueue } from '../queue/review-queue.ts'
import type { Result } from '../shared/result.ts'
import type { SessionHome } from './session-home.ts'

export class QueuedReviews {
  readonly #home: Pick<SessionHome, 'identity' | 'clock' | 'emit'>
  readonly #queue: ReviewQueue
  // What this process knows to be in the queue. An entry for turns usually stays until the home's next review begins, one for idleness until it is due.
  #turns: { readonly fence: number; readonly at: number } | undefined
  #idleDueAt = Number.NEGATIVE_INFINITY
  // Kinds that a turn is adding: a queue that does not answer is not asked again.
  readonly #adding = new Set<QueuedReviewKind>()

  constructor(home: Pick<SessionHome, 'identity' | 'clock' | 'emit'>, queue: ReviewQueue) {
    this.#home = home
    this.#queue = queue
  }

  /** A failure is an event. */
  async add(kind: QueuedReviewKind, dueAt: number): Promise<Result<void>> {
    const { identity, clock } = this.#home
    const added = await this.#queue.add({ owner: identity.owner, kind, dueAt })
    if (!added.ok) this.#home.emit({ type: 'storage-failed', at: clock(), operation: 'queue review', error: added.error })
    return added
  }

  /** Adds an entry behind a turn, unless it is known to be there. `fence`: number of the home's newest review. */
  async addBehind(entry: { readonly kind: 'turns'; readonly fence: number } | { readonly kind: 'idle' }): Promise<void> {
    const { kind } = entry
    if (this.#adding.has(kind)) return
    this.#adding.add(kind)
    try {
      await (kind === 'turns' ? this.#addTurns(entry.fence) : this.#addIdle())
    } finally {
      this.#adding.delete(kind)
    }
  }

  async #addTurns(fence: number): Promise<void> {
    const at = this.#home.clock()
    const known = this.#turns
    // It ends without a review if nothing is due when a worker looks, as after a session was forgotten. Adding it twice does no harm.
    if (fence === known?.fence && at >= known.at && at - known.at < IDLE_AFTER_MS) return
    const added = await this.add('turns', at)
    if (added.ok) this.#turns = { fence, at }
  }

  async #addIdle(): Promise<void> {
    const at = this.#home.clock()
    // A clock that was set back makes the entry unknown again.
    if (at < this.#idleDueAt && this.#idleDueAt - at <= IDLE_AFTER_MS) return
    const added = await this.add('idle', at + IDLE_AFTER_MS)
    if (added.ok) this.#idleDueAt = at + IDLE_AFTER_MS
  }
}
