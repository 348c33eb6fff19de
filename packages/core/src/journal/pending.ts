/** The queue of what waits for a person or the host's code: one document per held proposal (DESIGN 5). Nothing in it is ever dropped. */
import { z } from 'zod'
import { memoryOpSchema, memoryTargetSchema } from '../memory/memory-op.ts'
import { evidenceSchema, type ReviewProposal } from '../proposal/review-proposal.ts'
import type { Clock } from '../shared/clock.ts'
import type { HermesError } from '../shared/hermes-error.ts'
import { ORIGINS, type Origin } from '../shared/origin.ts'
import { ok, type Result } from '../shared/result.ts'
import { readJsonDocument, updateJsonDocument } from '../storage/json-document.ts'
import { type StorageBackend, UNCHANGED } from '../storage/storage-backend.ts'
import { PENDING_FOLDER } from '../storage/storage-paths.ts'
import { pendingId } from './pending-id.ts'
import { redactSecrets } from './redact-secrets.ts'

const storedEvidence = z.object({ messageId: z.string().optional(), quote: evidenceSchema.shape.quote })

const pendingSchema = z.object({
  /** The same target and operations have the same id. */
  id: z.string(),
  /** Epoch milliseconds: when it was first held. */
  at: z.number(),
  sessionId: z.string().optional(),
  target: memoryTargetSchema,
  /** More than one: a group, to be applied all or nothing. */
  ops: z.array(memoryOpSchema).min(1),
  reason: z.string(),
  origin: z.enum(ORIGINS).optional(),
  rationale: z.string(),
  score: z.number(),
  evidence: z.array(storedEvidence),
})

export type PendingProposal = z.infer<typeof pendingSchema>

export interface HoldRequest {
  /** One proposal, or a group on one target. */
  readonly proposals: readonly [ReviewProposal, ...ReviewProposal[]]
  readonly reason: string
  readonly origin?: Origin | undefined
  readonly sessionId?: string | undefined
}

export interface Pending {
  /** The same operations held again are the entry that is there already. */
  hold(request: HoldRequest): Promise<Result<PendingProposal>>
  /** Oldest first. A document that cannot be read stays where it is and is told to `onProblem`. */
  list(): Promise<Result<readonly PendingProposal[]>>
  get(id: string): Promise<Result<PendingProposal | undefined>>
  /** To be called by whoever decided: a person or the host's code, never a tool of the agent. */
  remove(id: string): Promise<Result<void>>
}

export interface PendingOptions {
  readonly storage: StorageBackend
  readonly clock: Clock
  /** Hears of every document that `list` could not read. */
  readonly onProblem?: (problem: HermesError) => void
}

const pathOf = (id: string): string => `${PENDING_FOLDER}/${id}.json`

const toPending = (id: string, at: number, { proposals, reason, origin, sessionId }: HoldRequest): PendingProposal => {
  const [first] = proposals
  return redactSecrets({
    id,
    at,
    ...(sessionId === undefined ? {} : { sessionId }),
    target: first.target,
    ops: proposals.map(({ op }) => op),
    reason,
    ...(origin === undefined ? {} : { origin }),
    rationale: first.rationale,
    score: first.score,
    evidence: proposals.flatMap(({ evidence = [] }) =>
      evidence.map(({ messageId, quote }) => ({ ...(messageId === undefined ? {} : { messageId }), quote })),
    ),
  })
}

export const createPending = ({ storage, clock, onProblem = () => {} }: PendingOptions): Pending => ({
  hold: async (request) => {
    const [first] = request.proposals
    const id = await pendingId(
      first.target,
      request.proposals.map(({ op }) => op),
    )
    const fresh = toPending(id, clock(), request)
    const held = await updateJsonDocument(storage, pathOf(id), pendingSchema, (current) => (current === undefined ? fresh : UNCHANGED))
    return held.ok ? ok(held.value ?? fresh) : held
  },

  list: async () => {
    const documents = await storage.list(PENDING_FOLDER)
    if (!documents.ok) return documents
    const found: PendingProposal[] = []
    for (const { path } of documents.value) {
      const document = await readJsonDocument(storage, path, pendingSchema)
      if (!document.ok) onProblem(document.error)
      else if (document.value) found.push(document.value)
    }
    return ok(found.sort((a, b) => a.at - b.at))
  },

  get: (id) => readJsonDocument(storage, pathOf(id), pendingSchema),

  remove: async (id) => {
    const removed = await storage.update(pathOf(id), () => undefined)
    return removed.ok ? ok(undefined) : removed
  },
})
