/** By what another process recognises the words of a session: digests, so that no text is stored. Pure. */
import * as z from 'zod/mini'

const resultSchema = /* @__PURE__ */ z.lazy(() => z.object({ digest: z.string(), did: z.string() }))

export const proofSchema = /* @__PURE__ */ z.lazy(() =>
  z.object({
    /** Digests of the own words in the user's messages that opened a turn, oldest first. */
    said: z.readonly(z.array(z.string())),
    /** Digests of what models answered, oldest first. */
    answered: z.readonly(z.array(z.string())),
    /** Results that our tools gave out, oldest first, with what the call did. */
    results: z.readonly(z.array(resultSchema)),
  }),
)

/** The part of a session record that another process needs to prove the same. Holds no text but what our own tools did in an open turn. */
export type Proof = z.infer<typeof proofSchema>

export const NO_PROOF: Proof = { said: [], answered: [], results: [] }

/** Maximum number of digests of each kind; of older messages nothing is proven. */
const MOST = 400
const MOST_RESULTS = 100

const joinNewest = <T>(first: readonly T[], then: readonly T[], most: number, keyOf: (item: T) => unknown): readonly T[] => {
  const keys = new Set(then.map(keyOf))
  return [...first.filter((item) => !keys.has(keyOf(item))), ...then].slice(-most)
}

export const joinProofs = (first: Proof, then: Proof): Proof => ({
  said: joinNewest(first.said, then.said, MOST, (digest) => digest),
  answered: joinNewest(first.answered, then.answered, MOST, (digest) => digest),
  results: joinNewest(first.results, then.results, MOST_RESULTS, ({ digest }) => digest),
})

/** A proof for the time after a turn: what calls did is in the text that a review reads, and goes with it. */
export const withoutTexts = (proof: Proof): Proof => ({ ...proof, results: proof.results.map(({ digest }) => ({ digest, did: '' })) })

/** Undefined if it proves nothing. */
export const orNone = (proof: Proof): Proof | undefined =>
  proof.said.length + proof.answered.length + proof.results.length > 0 ? proof : undefined
