/**
 * A bound on how long the gate may hold the process, whatever it is given. The functions that take time say how much they are about to do; a judgement that
 * needs more than the limit ends without a result. Counted, not timed, so that the same input always has the same verdict.
 */

/** Thrown by `spend`, caught by `withinLimit`. */
class LimitReached extends Error {}

/** Rough nanoseconds, on a slow machine. Far more than an honest proposal needs, and well below what a user would notice. */
export const WORK_LIMIT = 30_000_000

type Known = Map<string, unknown>

interface Work {
  left: number
  /** What was worked out for texts of this conversation, by the name of the function. */
  readonly known: Map<string, Known>
}

let work: Work | undefined

/** Says that about so many nanoseconds of work follow. Without a limit around it, nothing happens. */
export const spend = (nanoseconds: number): void => {
  if (!work) return
  work.left -= nanoseconds
  if (work.left < 0) throw new LimitReached()
}

// Kept as long as the conversation is: its sentences are compared with every proposal.
const knownOf = new WeakMap<object, Map<string, Known>>()

/** Runs it with `limit` to spend; `undefined` where that is not enough. `conversation`: what results of `remember` are kept for. */
export const withinLimit = <T>(conversation: object, run: () => T, limit = WORK_LIMIT): { readonly value: T } | undefined => {
  const before = work
  const known = knownOf.get(conversation) ?? new Map<string, Known>()
  knownOf.set(conversation, known)
  work = { left: limit, known }
  try {
    return { value: run() }
  } catch (cause) {
    if (cause instanceof LimitReached) return undefined
    throw cause
  } finally {
    work = before
  }
}

/** `compute` for a text, worked out once per conversation. */
export const remember = <T>(name: string, compute: (text: string) => T): ((text: string) => T) => {
  return (text) => {
    const known = work?.known
    if (!known) return compute(text)
    const table = known.get(name) ?? new Map<string, unknown>()
    known.set(name, table)
    if (table.has(text)) return table.get(text) as T
    const value = compute(text)
    table.set(text, value)
    return value
  }
}
