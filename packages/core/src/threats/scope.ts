/** How far a threat scan goes (reference hermes-memory 7). */

/** Cumulative: `context` holds everything of `all`, `strict` everything of `context`. Memory uses `strict`. */
export type ThreatScope = 'all' | 'context' | 'strict'

const RANK: Readonly<Record<ThreatScope, number>> = { all: 0, context: 1, strict: 2 }

/** Whether a scan in the scope `asked` looks for a pattern of the scope `own`. Throws on a scope that does not exist: finding nothing would be worse. */
export const isInScope = (own: ThreatScope, asked: ThreatScope): boolean => {
  if (!Object.hasOwn(RANK, asked)) throw new TypeError(`Unknown threat scope ${JSON.stringify(asked)}: use 'all', 'context' or 'strict'.`)
  return RANK[own] <= RANK[asked]
}
