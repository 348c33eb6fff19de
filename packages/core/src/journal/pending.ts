/**
 * The queue of proposals that wait for a person or the host's code: one document per proposal (DESIGN 5). Entries are never dropped
 * automatically.
 */

import type { MemoryOp, MemoryTarget } from '../memory/memory-op.ts'
import type { MemoryProposal, SkillProposal } from '../proposal/review-proposal.ts'
import { canonicalJson } from '../shared/canonical-json.ts'
import type { Clock } from '../shared/clock.ts'
import { HermesError } from '../shared/hermes-error.ts'
import type { Origin } from '../shared/origin.ts'
import { err, ok, type Result } from '../shared/result.ts'
import { sha256OfText } from '../shared/sha256.ts'
import type { SkillOp } from '../skills/skill-op.ts'
import { readJsonDocument, updateJsonDocument } from '../storage/json-document.ts'
import { UNCHANGED, updateDocument } from '../storage/one-document.ts'
import type { StorageBackend } from '../storage/storage-backend.ts'
import { PENDING_FOLDER, PENDING_SKILLS_FOLDER } from '../storage/storage-paths.ts'
import { withStorage } from '../storage/with-storage.ts'
import { redactSecrets } from '../threats/credentials/redact-credentials.ts'
import { type HeldSkillFile, type PendingMemoryProposal, type PendingSkillProposal, pendingProposalSchema } from './pending-proposal.ts'

const ID_DIGITS = 24
const PENDING_ID = /^[0-9a-f]{24}$/

/** The id of a held proposal: 24 hex digits of the SHA-256 of its content, so that the same proposal held again is the same entry. */
export const pendingId = async (
  target: MemoryTarget | 'skill',
  ops: readonly (MemoryOp | SkillOp)[],
  files?: readonly HeldSkillFile[],
): Promise<string> => {
  const hash = await sha256OfText(canonicalJson({ target, ops, ...(files === undefined ? {} : { files }) }))
  return hash.slice(0, ID_DIGITS)
}

/** Discriminated by `target`. */
export type PendingProposal = PendingMemoryProposal | PendingSkillProposal

interface HoldReasons {
  readonly reason: string
  readonly origin?: Origin | undefined
  readonly sessionId?: string | undefined
}

export interface HoldMemoryRequest extends HoldReasons {
  /** One proposal, or a group on one target. */
  readonly proposals: readonly [MemoryProposal, ...MemoryProposal[]]
}

export interface HoldSkillRequest extends HoldReasons {
  readonly proposals: readonly [SkillProposal]
  /** The version of the file, null if there is none. */
  readonly base: string | null
  /** The model that proposed it. */
  readonly model?: string | undefined
  /** See `PendingSkillProposal`. */
  readonly files?: readonly HeldSkillFile[] | undefined
}

export type HoldRequest = HoldMemoryRequest | HoldSkillRequest

export interface Pending {
  /** Holding the same operations again returns the existing entry; for a skill, with the present version of the file. */
  hold(request: HoldRequest): Promise<Result<PendingProposal>>
  /** Oldest first. Unreadable documents are kept and reported to `onProblem`. */
  list(): Promise<Result<readonly PendingProposal[]>>
  get(id: string): Promise<Result<PendingProposal | undefined>>
  /** Holds a proposal that was removed, as it was. One that waits already stays as it is. `invalid` for anything that is not a proposal. */
  putBack(proposal: PendingProposal): Promise<Result<PendingProposal>>
  /**
   * Call it after a decision of a person, the host's code, or a review of the user's own words. Must not be called by a tool of the
   * agent.
   */
  remove(id: string): Promise<Result<void>>
}

export interface PendingOptions {
  readonly storage: StorageBackend
  readonly clock: Clock
  /** Called with every document that `list` could not read. */
  readonly onProblem?: (problem: HermesError) => void
}

const FOLDERS = [PENDING_FOLDER, PENDING_SKILLS_FOLDER] as const

const pathIn = (folder: string, id: string): string => `${folder}/${id}.json`

const isSkillRequest = (request: HoldRequest): request is HoldSkillRequest => 'base' in request

const toPending = (id: string, at: number, request: HoldRequest): PendingProposal => {
  const { proposals, reason, origin, sessionId } = request
  const [{ rationale, score }] = proposals
  const shared = redactSecrets({
    id,
    at,
    ...(sessionId === undefined ? {} : { sessionId }),
    reason,
    ...(origin === undefined ? {} : { origin }),
    rationale,
    score,
    evidence: [...proposals].flatMap(({ evidence = [] }) =>
      evidence.map(({ messageId, quote }) => ({ ...(messageId === undefined ? {} : { messageId }), quote })),
    ),
  })
  if (!isSkillRequest(request)) {
    const [first] = request.proposals
    return { ...shared, target: first.target, ops: redactSecrets(request.proposals.map(({ op }) => op)) }
  }
  // Stored verbatim, since it is written like this when approved. New texts with credentials are refused before; old ones are in the
  // skill already.
  const { base, model, files } = request
  return {
    ...shared,
    target: 'skill',
    ops: request.proposals.map(({ op }) => op),
    base,
    ...(model === undefined ? {} : { model }),
    ...(files === undefined ? {} : { files: [...files] }),
  }
}

const isOwn = ({ origin }: PendingProposal): boolean => origin === 'user' || origin === 'assistant'

/**
 * What own words led to waits as that, whatever was proposed before out of text from outside: the first pass of a review is shown it. A repeated proposal for a
 * skill was judged on the present file.
 */
const heldAgain = (current: PendingProposal, fresh: PendingProposal): PendingProposal | typeof UNCHANGED => {
  if (isOwn(fresh) && !isOwn(current)) return fresh
  return withBase(current, fresh)
}

const withBase = (current: PendingProposal, fresh: PendingProposal): PendingProposal | typeof UNCHANGED =>
  current.target === 'skill' && fresh.target === 'skill' && current.base !== fresh.base ? { ...current, base: fresh.base } : UNCHANGED

/** Throws a TypeError without a storage. */
export const createPending = (options: PendingOptions): Pending => pendingIn(withStorage('createPending', options))

const pendingIn = ({ storage, clock, onProblem = () => {} }: PendingOptions): Pending => ({
  hold: async (request) => {
    const [first] = request.proposals
    const id = await pendingId(
      first.target,
      [...request.proposals].map(({ op }) => op),
      isSkillRequest(request) ? request.files : undefined,
    )
    const fresh = toPending(id, clock(), request)
    const path = pathIn(isSkillRequest(request) ? PENDING_SKILLS_FOLDER : PENDING_FOLDER, id)
    const held = await updateJsonDocument<PendingProposal>(storage, path, pendingProposalSchema, (current) =>
      current === undefined ? fresh : heldAgain(current, fresh),
    )
    return held.ok ? ok(held.value ?? fresh) : held
  },

  list: async () => {
    const found: PendingProposal[] = []
    for (const folder of FOLDERS) {
      const documents = await storage.list(folder)
      if (!documents.ok) return documents
      for (const { path } of documents.value) {
        const document = await readJsonDocument<PendingProposal>(storage, path, pendingProposalSchema)
        if (!document.ok) onProblem(document.error)
        else if (document.value) found.push(document.value)
      }
    }
    return ok(found.sort((a, b) => a.at - b.at))
  },

  get: async (id) => {
    for (const folder of FOLDERS) {
      const document = await readJsonDocument<PendingProposal>(storage, pathIn(folder, id), pendingProposalSchema)
      if (!document.ok || document.value) return document
    }
    return ok(undefined)
  },

  putBack: async (proposal) => {
    const parsed = pendingProposalSchema.safeParse(proposal)
    // Its operations may have been redacted, so the id cannot be computed from them again.
    if (!parsed.success || !PENDING_ID.test(parsed.data.id)) {
      return err(new HermesError('invalid', "This is not a proposal that has waited. Pass one as 'list' or 'reject' returned it."))
    }
    const path = pathIn(parsed.data.target === 'skill' ? PENDING_SKILLS_FOLDER : PENDING_FOLDER, parsed.data.id)
    const held = await updateJsonDocument<PendingProposal>(storage, path, pendingProposalSchema, (current) =>
      current ? UNCHANGED : parsed.data,
    )
    return held.ok ? ok(held.value ?? parsed.data) : held
  },

  remove: async (id) => {
    for (const folder of FOLDERS) {
      const removed = await updateDocument(storage, pathIn(folder, id), () => undefined)
      if (!removed.ok) return removed
    }
    return ok(undefined)
  },
})
