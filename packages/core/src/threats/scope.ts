/** The scopes of a threat scan (reference hermes-memory 7). */

/** Cumulative: `context` includes `all`, `strict` includes `context`. Memory uses `strict`. */
export type ThreatScope = 'all' | 'context' | 'strict'

const RANK: Readonly<Record<ThreatScope, number>> = { all: 0, context: 1, strict: 2 }

/** Whether a scan in the scope `asked` includes a pattern of the scope `own`. Throws on an unknown scope, since it would find nothing. */
export const isInScope = (own: ThreatScope, asked: ThreatScope): boolean => {
  if (!Object.hasOwn(RANK, asked)) throw new TypeError(`Unknown threat scope ${JSON.stringify(asked)}: use 'all', 'context' or 'strict'.`)
  return RANK[own] <= RANK[asked]
}
