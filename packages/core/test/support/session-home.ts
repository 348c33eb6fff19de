/** A home in memory, as its sessions and reviews use it. */

import { manualClock } from '@hermes/testing'
import { createJournal } from '../../src/journal/journal.ts'
import { createPending } from '../../src/journal/pending.ts'
import { MemoryStore } from '../../src/memory/memory-store.ts'
import type { ReviewQueue } from '../../src/queue/review-queue.ts'
import type { HermesEvent } from '../../src/session/hermes-event.ts'
import { HomeCounts } from '../../src/session/home-counts.ts'
import { Reviews } from '../../src/session/reviews.ts'
import type { OwnedSession, ReviewStores, SessionHome, SessionOptions } from '../../src/session/session-home.ts'
import { sessionPath } from '../../src/session/session-record.ts'
import { sessionRecordSchema } from '../../src/session/session-record-schema.ts'
import { ok } from '../../src/shared/result.ts'
import { SkillStore } from '../../src/skills/skill-store.ts'
import { inMemoryBackend } from '../../src/storage/in-memory.ts'
import { inTransaction } from '../../src/storage/in-transaction.ts'
import { readJsonDocument } from '../../src/storage/json-document.ts'
import type { StorageBackend } from '../../src/storage/storage-backend.ts'
import { UsageStore } from '../../src/usage/usage-store.ts'

export const START = 5_000

export const REVIEW_SETTINGS = {
  mode: 'digest',
  maxInputTokens: 20_000,
  maxOutputTokens: 700,
  maxSkillOutputTokens: 900,
  timeoutMs: 60_000,
  maxProposals: 20,
} as const

export interface SessionHomeChange extends Partial<Omit<SessionHome, 'options' | 'reviews'>> {
  readonly options?: Partial<SessionOptions>
  readonly queue?: ReviewQueue
}

/** `inner`: the storage behind that of the home, from which the test reads. */
export const sessionHome = (change: SessionHomeChange = {}, inner: StorageBackend = change.storage ?? inMemoryBackend()) => {
  const { options, queue, ...given } = change
  const storage = given.storage ?? inner
  const manual = manualClock(START)
  const clock = given.clock ?? manual
  const events: HermesEvent[] = []
  let ids = 0
  const createId = () => `id-${ids++}`
  const journal = createJournal({ storage, clock, createId })
  const settings: SessionOptions = {
    intervals: { memoryInterval: 10, skillInterval: 10 },
    minTurns: 3,
    limits: { budget: undefined, maxTokensPerDay: undefined },
    review: REVIEW_SETTINGS,
    keepText: true,
    retainDays: 0,
    journalRetainDays: 'forever',
    // Long enough for a busy machine to load the code of the tools.
    loadTimeoutMs: 60_000,
    recallChars: 0,
    trustedTools: [],
    background: undefined,
    ...options,
  }
  const emit = given.emit ?? ((event: HermesEvent) => void events.push(event))
  const stopping = new AbortController()
  const storesOver = (over: StorageBackend): ReviewStores => ({
    createMemoryStore: () => new MemoryStore({ storage: over, clock }),
    skills: given.skills && {
      store: new SkillStore({ storage: over, clock }),
      usage: new UsageStore({ storage: over, clock }),
      storage: over,
      clock,
    },
    journal: createJournal({ storage: over, clock, createId }),
    pending: createPending({ storage: over, clock }),
  })
  const home: SessionHome = {
    identity: { storage: {} },
    storage,
    options: settings,
    stopping: stopping.signal,
    isQueued: queue !== undefined,
    reviews: async () => ok(reviews),
    clock,
    gate: async () => ok({ verdict: 'approve', reason: 'yes', origin: 'user' }),
    journal,
    pending: createPending({ storage, clock }),
    skills: undefined,
    provider: undefined,
    activity: undefined,
    emit,
    session: (id) => ({ id, goesOn: () => {} }) as unknown as OwnedSession,
    memoryOf: (_id, onFailure) => new MemoryStore({ storage, clock, onFailure }),
    inOneUpdate: (_, work, last) => inTransaction(storage, (over) => work(storesOver(over)), last),
    reviewStores: (over) => storesOver(over),
    ...given,
  }
  const reviews = new Reviews(home, queue)
  const recordOf = async (id = 'one') => {
    const found = await readJsonDocument(inner, sessionPath(id), sessionRecordSchema)
    return found.ok ? found.value : undefined
  }
  const of = <T extends HermesEvent['type']>(type: T) =>
    events.filter((event): event is Extract<HermesEvent, { type: T }> => event.type === type)
  return { home, counts: new HomeCounts(home), stop: () => stopping.abort(), reviews, clock: manual, events, of, recordOf, storage, inner }
}
