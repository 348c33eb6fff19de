/** A home in memory, and the dependencies of one review in it. */
import type { ReviewGate } from '../../src/gate/review-gate.ts'
import { createJournal } from '../../src/journal/journal.ts'
import { createPending } from '../../src/journal/pending.ts'
import { MemoryStore } from '../../src/memory/memory-store.ts'
import type { MemoryStoreOptions } from '../../src/memory/memory-store-options.ts'
import type { HostModel, HostModelRequest } from '../../src/model/host-model.ts'
import type { LearningCost } from '../../src/model/learning-cost.ts'
import type { DueReview } from '../../src/session/review-request.ts'
import type { ReviewUnderWay } from '../../src/session/review-under-way.ts'
import type { HermesError } from '../../src/shared/hermes-error.ts'
import { ok } from '../../src/shared/result.ts'
import { sha256OfText } from '../../src/shared/sha256.ts'
import { SkillStore } from '../../src/skills/skill-store.ts'
import { inMemoryBackend } from '../../src/storage/in-memory.ts'
import type { StorageBackend } from '../../src/storage/storage-backend.ts'
import { UsageStore } from '../../src/usage/usage-store.ts'
import { dueReview } from './due-review.ts'
import { REVIEW_SETTINGS } from './session-home.ts'
import { skillText } from './skill-library.ts'

const NOON = Date.UTC(2026, 0, 5, 12)
const clock = () => NOON

let ids = 0
const createId = () => `id-${ids++}`

export interface ReviewHomeOptions {
  readonly storage?: StorageBackend
  readonly memory?: Partial<MemoryStoreOptions>
  readonly due?: Partial<DueReview>
  /** The proposals of the model. Default none. */
  readonly answer?: (request: HostModelRequest) => readonly unknown[]
  /** Default: approves everything. */
  readonly gate?: ReviewGate
  readonly deps?: Partial<ReviewUnderWay>
  /** Default: skills are switched off. */
  readonly withSkills?: boolean
}

const yes: ReviewGate = async () => ok({ verdict: 'approve', reason: 'yes', origin: 'user' })

export const reviewHome = ({
  storage = inMemoryBackend(),
  memory = {},
  due = {},
  answer = () => [],
  gate = yes,
  ...rest
}: ReviewHomeOptions = {}) => {
  const requests: HostModelRequest[] = []
  const failures: string[] = []
  const costs: LearningCost[] = []
  const model: HostModel = async (request) => {
    requests.push(request)
    return { text: JSON.stringify({ proposals: answer(request) }), model: 'model-1' }
  }
  const journal = createJournal({ storage, clock, createId })
  const pending = createPending({ storage, clock })
  const skills = { store: new SkillStore({ storage, clock }), usage: new UsageStore({ storage, clock }), storage, clock }
  const createMemoryStore = () => new MemoryStore({ storage, clock, ...memory })
  const stopping = new AbortController()
  const deps: ReviewUnderWay = {
    due: dueReview(due),
    stopping: stopping.signal,
    sessionId: 'newest',
    reviewId: 'review-1',
    settings: { ...REVIEW_SETTINGS, timeoutMs: 1_000 },
    gate,
    createMemoryStore,
    skills: rest.withSkills ? skills : undefined,
    journal,
    pending,
    clock,
    onCost: (cost) => costs.push(cost),
    onFailure: (error: HermesError, operation: string) => failures.push(`${operation}: ${error.code}`),
    write: (dispose) => dispose(deps),
    ...rest.deps,
  }
  return {
    deps,
    due: deps.due,
    model,
    stopping,
    requests,
    failures,
    costs,
    pending,
    skills,
    store: createMemoryStore(),
    textOf: (at = 0) => [requests[at]?.system, ...(requests[at]?.messages ?? []).map(({ content }) => content)].join('\n'),
    addSkill: async (name: string) => {
      const content = skillText(name, 'Build it.')
      await skills.store.create({ name, content })
      await skills.usage.record(name, 'create', { createdBy: 'agent', own: { filePath: 'SKILL.md', digest: await sha256OfText(content) } })
    },
    recordsOf: async () => {
      const listed = await journal.list()
      return listed.ok ? listed.value : []
    },
  }
}
