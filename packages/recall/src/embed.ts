/** Vectors of an embedding model, for finding by meaning. Without a model, or while it fails, recall finds by words. */
import { HermesError } from '@hermes/core'
import { redactCredentials } from '@hermes/core/provider'
import type { HomeRecallIndex, IndexHit, IndexSearch, RecallItem } from './recall-index.ts'

export interface Embed {
  /** Of the model: vectors of another one are made anew. */
  readonly model: string
  /** A vector for each text, in the same order. */
  readonly vectors: (texts: readonly string[]) => Promise<readonly (readonly number[])[]>
}

export interface Similar {
  /** Makes the vectors that are missing; the newest items first. */
  fill(isStopped: () => boolean): Promise<void>
  /** Items near in meaning, the best first; none if the model fails, which is reported. */
  nearest(text: string, search: Omit<IndexSearch, 'terms'>): Promise<readonly IndexHit[]>
}

const AT_ONCE = 32
/** Models read the beginning only. */
const MOST_CHARS = 2_000

const textOf = ({ kind, source, user, answer }: RecallItem): string =>
  (kind === 'turn' ? `${user}\n${answer}` : `${source}\n${answer}`).slice(0, MOST_CHARS).toWellFormed()

const checked = (vectors: unknown, count: number): readonly Float32Array[] => {
  const list: readonly unknown[] = Array.isArray(vectors) ? vectors : []
  const isVector = (each: unknown): each is readonly number[] => Array.isArray(each) && each.length > 0 && each.every(Number.isFinite)
  if (list.length !== count || !list.every(isVector))
    throw new TypeError(`'embed.vectors' must return one list of numbers for each of ${count} texts.`)
  return list.map((each) => Float32Array.from(each))
}

export const createSimilar = (index: HomeRecallIndex, embed: Embed, report: (problem: HermesError) => void): Similar => {
  const vectorsOf = async (texts: readonly string[]): Promise<readonly Float32Array[]> => checked(await embed.vectors(texts), texts.length)
  const failed = (cause: unknown): void => {
    // A service may repeat the key that it refuses.
    const reason = redactCredentials(cause instanceof Error ? cause.message : String(cause))
    report(new HermesError('provider', `The embedding model '${embed.model}' failed, so recall finds by words only: ${reason}`, { cause }))
  }
  return {
    async fill(isStopped) {
      try {
        while (!isStopped()) {
          const items = await index.vectors.missing(embed.model, AT_ONCE)
          if (items.length === 0) return
          const vectors = await vectorsOf(items.map(textOf))
          await index.vectors.set(
            embed.model,
            items.flatMap(({ kind, id }, place) => {
              const vector = vectors[place]
              return vector ? [{ kind, id, vector }] : []
            }),
          )
        }
      } catch (cause) {
        failed(cause)
      }
    },
    async nearest(text, search) {
      try {
        const [vector] = await vectorsOf([text.slice(0, MOST_CHARS).toWellFormed()])
        return vector ? await index.vectors.nearest(embed.model, vector, search) : []
      } catch (cause) {
        failed(cause)
        return []
      }
    },
  }
}
