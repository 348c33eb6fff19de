/** The proposer port: proposes what should be remembered, and decides nothing (seed 004). */
import { err, ok, type Result } from '../../shared/result.ts'

/** An item that could not be passed on as a proposal; recorded by the review. */
export interface DroppedProposal {
  /** A sentence for the journal. */
  readonly reason: string
  /** The original item, as far as it can be shown. */
  readonly raw?: unknown
}

/** A raw, unvalidated proposal, or the item that was dropped in its place. */
export type ProposedItem = Result<unknown, DroppedProposal>

/** Items in the proposer's order, dropped ones included. */
export interface ProposedItems {
  readonly items: readonly ProposedItem[]
}

/** Contract: returns raw, unvalidated proposals; core validates each alone. An error fails the whole review closed. */
export type ReviewProposer<Proposed extends readonly unknown[] | ProposedItems = readonly unknown[] | ProposedItems> = (
  summary: string,
) => Promise<Result<Proposed>>

export const drop = (reason: string, raw?: unknown): ProposedItem => err({ reason, raw })

/** An item that is not a `Result` counts as a raw proposal. */
const toItem = (given: unknown): ProposedItem => {
  const { ok: isProposed, value, error }: Record<string, unknown> = Object(given)
  if (isProposed === true) return ok(value)
  const { reason, raw }: Record<string, unknown> = Object(error)
  return isProposed === false && typeof reason === 'string' ? drop(reason, raw) : ok(given)
}

/** Undefined if the value is not a list, since a proposer may be untyped. */
export const itemsOf = (proposed: readonly unknown[] | ProposedItems): readonly ProposedItem[] | undefined => {
  if (Array.isArray(proposed)) return proposed.map((raw) => ok(raw))
  const { items }: Partial<ProposedItems> = Object(proposed)
  return Array.isArray(items) ? items.map(toItem) : undefined
}

/** The subject of one review. Memory and skills that are due at once are one review. */
export type ReviewKind = 'memory' | 'skills' | 'both'

export const isAboutMemory = (kind: ReviewKind): boolean => kind !== 'skills'

export const isAboutSkills = (kind: ReviewKind): boolean => kind !== 'memory'
