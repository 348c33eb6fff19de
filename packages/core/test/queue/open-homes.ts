/** Helpers of the worker tests: homes of many owners over one storage and one queue, each `process` with its own handles. */

import { inMemoryReviewQueue, manualClock } from '@hermes/testing'
import { createHermesHomes } from '../../src/create-hermes-homes.ts'
import type { HermesHomesOptions } from '../../src/hermes-options.ts'
import type { HostModel } from '../../src/model/host-model.ts'
import type { ReviewQueue } from '../../src/queue/review-queue.ts'
import type { HermesEvent } from '../../src/session/hermes-event.ts'
import { inMemoryBackend } from '../../src/storage/in-memory.ts'
import type { StorageBackend } from '../../src/storage/storage-backend.ts'
import type { WorkedReview } from '../../src/work-reviews.ts'
import { user } from '../session/open-home.ts'

/** Proposes one fact for each request: the last line of it that names one. */
export const factsSaid: HostModel = async ({ messages }) => {
  const facts = [
    ...new Set(
      messages
        .map(({ content }) => content)
        .join('\n')
        .match(/fact-[a-z0-9-]+/g) ?? [],
    ),
  ]
  const op = (content: string) => ({ action: 'add', content })
  const proposals = facts.map((fact) => ({ target: 'memory', op: op(`Remember ${fact}.`), rationale: 'said', score: 0.9, evidence: [] }))
  return JSON.stringify({ proposals })
}

const countingQueue = (inner: ReviewQueue) => {
  const added: string[] = []
  let broken = false
  const queue: ReviewQueue = {
    ...inner,
    add(review) {
      if (broken) throw new Error('the queue is away')
      added.push(`${review.owner?.user ?? ''} ${review.kind}`)
      return inner.add(review)
    },
  }
  return {
    queue,
    added,
    setBroken: (value: boolean) => {
      broken = value
    },
  }
}

export const openWorld = (options: { readonly storage?: StorageBackend; readonly model?: HostModel } = {}) => {
  const { storage = inMemoryBackend(), model = factsSaid } = options
  const clock = manualClock()
  const counting = countingQueue(inMemoryReviewQueue({ clock }))
  const events: HermesEvent[] = []
  const works: WorkedReview[] = []
  const openProcess = (more: Partial<HermesHomesOptions> = {}) =>
    createHermesHomes({
      storage,
      clock,
      review: { model, queue: counting.queue },
      onEvent: (event) => events.push(event),
      curator: { enabled: false },
      ...more,
    })
  const homes = openProcess()
  return {
    queue: counting.queue,
    added: counting.added,
    setBroken: counting.setBroken,
    storage,
    clock,
    events,
    works,
    homes,
    openProcess,
    /** Says `count` turns in the home of an owner; each names a fact. */
    async says(owner: string, count: number, from = 0, said = homes) {
      const hermes = said.for(owner)
      for (let turn = from; turn < from + count; turn++) {
        hermes.session('chat').recordTurn({ messages: [user(`Please remember fact-${owner}-${turn}.`)] })
        await hermes.settled()
      }
    },
    async work(worker = homes) {
      const done: WorkedReview[] = []
      const report = await worker.work({ once: true, onReview: (review) => done.push(review) })
      if (!report.ok) throw report.error
      works.push(...done)
      return {
        report: report.value,
        done,
        outcomes: done.map(({ owner, kind, outcome }) => `${owner?.user ?? ''} ${kind} ${outcome.kind}`),
      }
    },
    async facts(owner: string): Promise<readonly string[]> {
      const store = homes.for(owner).memoryStore()
      await store.load()
      return store.entries('memory').flatMap((entry) => entry.match(/fact-[a-z0-9-]+/g) ?? [])
    },
    failures: () => events.flatMap((event) => ('error' in event ? [event.error.message] : [])),
  }
}
