/** How often the frozen text of a session changed after its first prompt, so that a prefix cache had to start again. Pure. */
import * as z from 'zod/mini'

export const prefixChangesSchema = /* @__PURE__ */ z.lazy(() =>
  z.object({
    times: z.int().check(z.positive()),
    /** Of the last change; epoch milliseconds. */
    at: z.number(),
    /** Finished turns of the session before the last change. */
    turns: z.int().check(z.nonnegative()),
  }),
)

/** In a record, `turns` counts from the beginning of the session; in a delta, from the beginning of the delta. */
export interface PrefixChanges {
  readonly times: number
  readonly at: number
  readonly turns: number
}

/** Adds later changes. `turnsBefore`: finished turns before those that `then` counts. */
export const addChanges = (
  first: PrefixChanges | undefined,
  then: PrefixChanges | undefined,
  turnsBefore: number,
): { readonly changed?: PrefixChanges } => {
  if (!then) return first ? { changed: first } : {}
  return { changed: { times: (first?.times ?? 0) + then.times, at: then.at, turns: turnsBefore + then.turns } }
}
