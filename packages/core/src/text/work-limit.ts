/**
 * Limits how long the gate may block the process. Expensive functions declare their work with `spend`; a judgement that exceeds the limit ends without a
 * result. Work is counted, not timed, so that the same input always gets the same verdict.
 */

/** Thrown by `spend`, caught by `withinLimit`. */
class LimitReached extends Error {}

/** Rough nanoseconds on a slow machine: far more than a normal proposal needs, and well below what a user would notice. */
export const WORK_LIMIT = 30_000_000

type Known = Map<string, unknown>

interface Work {
  left: number
  /** Cached results for texts of this conversation, by function name. */
  readonly known: Map<string, Known>
}

let work: Work | undefined

/** Declares about this many nanoseconds of work. Without a limit around it, it does nothing. */
export const spend = (nanoseconds: number): void => {
  if (!work) return
  work.left -= nanoseconds
  if (work.left < 0) throw new LimitReached()
}

// Cached as long as the conversation object lives, since its sentences are compared with every proposal.
const knownOf = new WeakMap<object, Map<string, Known>>()

/** Runs `run` with `limit` nanoseconds of work; `undefined` if it needs more. `conversation`: the object for which results of `remember` are cached. */
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

/** `compute` for a text, cached per conversation. */
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
