/** The proposer port: what should be remembered? It only proposes (seed 004). */
import { err, ok, type Result } from '../../shared/result.ts'

/** What could not be passed on as a proposal, so that the review records why nothing came of it. */
export interface DroppedProposal {
  /** A sentence for the journal. */
  readonly reason: string
  /** What it was, as far as it can be shown. */
  readonly raw?: unknown
}

/** A raw, unvalidated proposal, or what was dropped in its place. */
export type ProposedItem = Result<unknown, DroppedProposal>

/** A list that says what was dropped from it, in the order of the proposer. */
export interface ProposedItems {
  readonly items: readonly ProposedItem[]
}

/** Contract: raw, unvalidated proposals; core validates each alone. An error fails the whole review closed. */
export type ReviewProposer<Proposed extends readonly unknown[] | ProposedItems = readonly unknown[] | ProposedItems> = (
  summary: string,
) => Promise<Result<Proposed>>

export const drop = (reason: string, raw?: unknown): ProposedItem => err({ reason, raw })

/** Undefined for what is no list; a proposer may be untyped. */
export const itemsOf = (proposed: readonly unknown[] | ProposedItems): readonly ProposedItem[] | undefined => {
  if (Array.isArray(proposed)) return proposed.map(ok)
  const { items }: Partial<ProposedItems> = Object(proposed)
  return Array.isArray(items) ? items : undefined
}

/** What one review is about. Memory and skills due at once are one review. */
export type ReviewKind = 'memory' | 'skills' | 'both'

export const isAboutMemory = (kind: ReviewKind): boolean => kind !== 'skills'

export const isAboutSkills = (kind: ReviewKind): boolean => kind !== 'memory'
