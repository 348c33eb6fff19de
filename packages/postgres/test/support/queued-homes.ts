/** Homes whose clock runs faster than the server's, over a queue that translates between the two: with a speed of 20, a home's lease of a minute takes three seconds. */
import { createHermesHomes, type HermesHomes, type HostModel } from '@hermes/core'
import type { ReviewQueue } from '@hermes/core/queue'
import type { PostgresClient } from '../../src/drivers/detect-driver.ts'
import { postgresBackend } from '../../src/postgres-backend.ts'
import { postgresReviewQueue } from '../../src/postgres-review-queue.ts'

export interface FastClock {
  /** At the real time `realStart` the clock shows `startAt`; it runs `speed` times faster. Epoch milliseconds. */
  readonly startAt: number
  readonly realStart: number
  readonly speed: number
}

const clockOf =
  ({ startAt, realStart, speed }: FastClock) =>
  (): number =>
    startAt + Math.floor((Date.now() - realStart) * speed)

/** Leases stay in real milliseconds: the server counts them. */
const translated = (queue: ReviewQueue, { startAt, realStart, speed }: FastClock): ReviewQueue => {
  const toReal = (at: number) => realStart + (at - startAt) / speed
  return {
    ...queue,
    add: (review) => queue.add({ ...review, dueAt: toReal(review.dueAt) }),
    end: (claim, end) => queue.end(claim, end === 'done' ? end : { ...end, againAt: toReal(end.againAt) }),
  }
}

export interface QueuedHomes {
  readonly homes: HermesHomes
  readonly queue: ReviewQueue
}

export const openQueuedHomes = (client: PostgresClient, schema: string, time: FastClock, more: QueuedHomesOptions = {}): QueuedHomes => {
  const queue = translated(postgresReviewQueue(client, { schema }), time)
  const homes = createHermesHomes({
    storage: postgresBackend(client, { schema }),
    clock: clockOf(time),
    curator: { enabled: false },
    review: { queue, ...(more.model ? { model: more.model } : {}) },
    onEvent: (event) => {
      if (event.type === 'storage-failed' && event.error.code !== 'superseded') more.onProblem?.(event.error.message)
    },
  })
  return { homes, queue }
}

export interface QueuedHomesOptions {
  readonly model?: HostModel
  readonly onProblem?: (message: string) => void
}

/** Proposes each fact that the conversation names. */
export const factsSaid: HostModel = async ({ messages }) => {
  const facts = new Set(messages.flatMap(({ content }) => content.match(/fact-[a-z0-9-]+/g) ?? []))
  return JSON.stringify({
    proposals: [...facts].map((fact) => ({
      target: 'memory',
      op: { action: 'add', content: `Remember ${fact}.` },
      rationale: 'said',
      score: 0.9,
      evidence: [],
    })),
  })
}

/** Ends a session of the owner in which a fact was said; its review is then queued. */
export const endSession = async ({ homes }: QueuedHomes, owner: string): Promise<void> => {
  const session = homes.for(owner).session('chat')
  session.recordTurn({ messages: [{ role: 'user', text: `Please remember fact-${owner}.` }] })
  const ended = await session.end({ minTurns: 1 })
  if (!ended.ok || ended.value.kind !== 'queued') throw new Error(`The review of ${owner} was not queued: ${JSON.stringify(ended)}`)
}

/** What the home of an owner holds: its facts, and how often the journal says that a fact was written, found present and a review finished. */
export const effectOf = async ({ homes }: QueuedHomes, owner: string) => {
  const hermes = homes.for(owner)
  const store = hermes.memoryStore()
  await store.load()
  const records = await hermes.journal.list()
  const kinds: readonly string[] = records.ok ? records.value.map(({ kind }) => kind) : []
  const times = (kind: string) => kinds.filter((each) => each === kind).length
  const dates = records.ok ? records.value.flatMap(({ facts }) => facts?.content ?? []) : []
  const confirmed = dates.filter(({ firstSeenAt, lastConfirmedAt }) => lastConfirmedAt > firstSeenAt).length
  return { facts: store.entries('memory'), applied: times('applied') - confirmed, confirmed, finished: times('review-finished') }
}
