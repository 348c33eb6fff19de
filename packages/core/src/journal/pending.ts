/**
 * The queue of proposals that wait for a person or the host's code: one document per proposal (DESIGN 5). Entries are never dropped
 * automatically. Work that does more beside it runs over a transaction.
 */
import type { MemoryOp, MemoryTarget } from '../memory/memory-op.ts'
import type { MemoryProposal, SkillProposal } from '../proposal/review-proposal.ts'
import { canonicalJson } from '../shared/canonical-json.ts'
import type { Clock } from '../shared/clock.ts'
import { HermesError } from '../shared/hermes-error.ts'
import { isOwnOrigin, type Origin } from '../shared/origin.ts'
import { err, ok, type Result } from '../shared/result.ts'
import { sha256OfText } from '../shared/sha256.ts'
import type { SkillOp } from '../skills/skill-op.ts'
import { isBelow } from '../storage/document-tree.ts'
import { jsonBytes, jsonIn } from '../storage/json-document.ts'
import { orError } from '../storage/one-document.ts'
import type { StorageBackend } from '../storage/storage-backend.ts'
import { PENDING_FOLDER, PENDING_SKILLS_FOLDER } from '../storage/storage-paths.ts'
import { withStorage } from '../storage/with-storage.ts'
import { redactSecrets } from '../threats/credentials/redact-credentials.ts'
import {
  type HeldMerge,
  type HeldSkillFile,
  type PendingMemoryProposal,
  type PendingSkillProposal,
  pendingProposalSchema,
} from './pending-proposal.ts'

const ID_DIGITS = 24
const PENDING_ID = /^[0-9a-f]{24}$/

/** The id of a held proposal: 24 hex digits of the SHA-256 of its content, so that the same proposal held again is the same entry. */
export const pendingId = async (
  target: MemoryTarget | 'skill',
  ops: readonly (MemoryOp | SkillOp)[],
  { files, project }: { readonly files?: readonly HeldSkillFile[] | undefined; readonly project?: string | undefined } = {},
): Promise<string> => {
  // Only the notes of a project are another store in another project.
  const more = { ...(files === undefined ? {} : { files }), ...(target === 'project' ? { project } : {}) }
  const hash = await sha256OfText(canonicalJson({ target, ops, ...more }))
  return hash.slice(0, ID_DIGITS)
}

/** Discriminated by `target`. */
export type PendingProposal = PendingMemoryProposal | PendingSkillProposal

interface HoldReasons {
  readonly reason: string
  /** See `PendingFields.project`. */
  readonly project?: string | undefined
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
  readonly merge?: HeldMerge | undefined
}

export type HoldRequest = HoldMemoryRequest | HoldSkillRequest

const isSkillRequest = (request: HoldRequest): request is HoldSkillRequest => 'base' in request

/** The proposal as it will wait. */
export const toPending = async (request: HoldRequest, clock: Clock): Promise<PendingProposal> => {
  const [{ target }] = request.proposals
  const requested = request.proposals.map(({ op }) => op)
  const { proposals, reason, origin, sessionId, project } = request
  const id = await pendingId(target, requested, { files: isSkillRequest(request) ? request.files : undefined, project })
  const [{ rationale, score }] = proposals
  const shared = redactSecrets({
    id,
    at: clock(),
    ...(sessionId === undefined ? {} : { sessionId }),
    ...(project === undefined ? {} : { project }),
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
  const { base, model, files, merge } = request
  return {
    ...shared,
    target: 'skill',
    ops: request.proposals.map(({ op }) => op),
    base,
    ...(model === undefined ? {} : { model }),
    ...(files === undefined ? {} : { files: [...files] }),
    ...(merge === undefined ? {} : { merge }),
  }
}

const FOLDERS = [PENDING_FOLDER, PENDING_SKILLS_FOLDER]

export const pendingPath = ({ target, id }: Pick<PendingProposal, 'target' | 'id'>): string =>
  `${target === 'skill' ? PENDING_SKILLS_FOLDER : PENDING_FOLDER}/${id}.json`

/** Where a proposal of which only the id is known may wait. */
const pathsOf = (id: string): readonly string[] => FOLDERS.map((folder) => `${folder}/${id}.json`)

const isOwn = ({ origin }: PendingProposal): boolean => isOwnOrigin(origin)

/**
 * What waits once a proposal is held again. What own words led to waits as that, whatever was proposed before out of text from outside: the first pass of a
 * review is shown it. A repeated proposal for a skill was judged on the present file.
 */
const heldAgain = (current: PendingProposal, fresh: PendingProposal): PendingProposal => {
  if (isOwn(fresh) && !isOwn(current)) return fresh
  // Its sources may have changed since, with the same text in the end.
  if (fresh.target === 'skill' && fresh.merge) return { ...fresh, at: current.at }
  return current.target === 'skill' && fresh.target === 'skill' && current.base !== fresh.base ? { ...current, base: fresh.base } : current
}

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

/** Throws a TypeError without a storage. */
export const createPending = (options: PendingOptions): Pending => {
  const { storage, clock, onProblem = () => {} } = withStorage('createPending', options)

  /** `next`: what waits instead of `current`. Resolves to what waits then. */
  const put = (fresh: PendingProposal, next: (current: PendingProposal) => PendingProposal): Promise<Result<PendingProposal>> => {
    const path = pendingPath(fresh)
    return orError(() =>
      storage.update([path], (cut) => {
        const current = jsonIn<PendingProposal>(cut, path, pendingProposalSchema)
        const value = current ? next(current) : fresh
        return { put: value === current ? {} : { [path]: jsonBytes<PendingProposal>(path, value, pendingProposalSchema) }, value }
      }),
    )
  }

  return {
    hold: async (request) => {
      const fresh = await toPending(request, clock)
      return put(fresh, (current) => heldAgain(current, fresh))
    },

    list: async () => {
      const listed = await storage.list('pending')
      if (!listed.ok) return listed
      const paths = listed.value.map(({ path }) => path).filter((path) => FOLDERS.some((folder) => isBelow(path, folder)))
      if (paths.length === 0) return ok([])
      const cut = await storage.read(paths)
      if (!cut.ok) return cut
      const found: PendingProposal[] = []
      for (const path of paths) {
        const held = await orError(async () => ok(jsonIn<PendingProposal>(cut.value, path, pendingProposalSchema)))
        if (!held.ok) onProblem(held.error)
        else if (held.value) found.push(held.value)
      }
      return ok(found.sort((a, b) => a.at - b.at))
    },

    get: (id) =>
      orError(async () => {
        const paths = pathsOf(id)
        const cut = await storage.read(paths)
        if (!cut.ok) return cut
        return ok(paths.map((path) => jsonIn<PendingProposal>(cut.value, path, pendingProposalSchema)).find((held) => held !== undefined))
      }),

    putBack: async (proposal) => {
      const parsed = pendingProposalSchema.safeParse(proposal)
      // Its operations may have been redacted, so the id cannot be computed from them again.
      if (!parsed.success || !PENDING_ID.test(parsed.data.id))
        return err(new HermesError('invalid', "This is not a proposal that has waited. Pass one as 'list' or 'reject' returned it."))
      return put(parsed.data, (current) => current)
    },

    remove: (id) => {
      const paths = pathsOf(id)
      return storage.update(paths, () => ({ put: Object.fromEntries(paths.map((path) => [path, null])), value: undefined }))
    },
  }
}
