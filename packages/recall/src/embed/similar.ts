/** Finds by meaning, over an index of vectors. Without a model, or while it fails, recall finds by words. */
import { type Clock, HermesError } from '@hermes/core'
import { redactCredentials } from '@hermes/core/provider'
import type { HomeRecallIndex, IndexHit, NearSearch, RecallItem } from '../recall-index.ts'
import type { Embedding } from './embedding.ts'
import { passageOf, passagesOf } from './passages.ts'

export interface Similar {
  /** Makes the vectors that are missing, the newest items first, until `signal` fires. */
  fill(signal: AbortSignal): Promise<void>
  /** One call of the model, whatever is compared with it. */
  meaningOf(text: string): Meaning
}

interface Meaning {
  /** Items near in meaning, the best first; none if the model fails, which is reported, or is too slow. */
  nearest(search: NearSearch): Promise<readonly IndexHit[]>
}

/** Items whose vectors are stored together: what a kill loses. */
const AT_ONCE = 8
const FILL_LIMIT_MS = 60_000
const FIRST_PAUSE_MS = 30_000
const LONGEST_PAUSE_MS = 300_000

const isVector = (value: unknown): value is readonly number[] | Float32Array =>
  (Array.isArray(value) || value instanceof Float32Array) && value.length > 0 && value.every(Number.isFinite)

/** Throws a TypeError for what are no vectors of one length. */
const checked = (vectors: unknown, count: number, known: number | undefined): readonly Float32Array[] => {
  const list: readonly unknown[] = Array.isArray(vectors) ? vectors : []
  if (list.length !== count || !list.every(isVector))
    throw new TypeError(`it must return one list of numbers for each text, but did not for ${count === 1 ? 'a text' : `${count} texts`}.`)
  const dimensions = known ?? list[0]?.length
  const other = list.find(({ length }) => length !== dimensions)
  if (other)
    throw new TypeError(
      `it returned a vector of ${other.length} numbers, but of ${dimensions} before. Give each model a name of its own, and restart after a change.`,
    )
  return list.map((each) => Float32Array.from(each))
}

/** After a failure, the model is not asked for a while. */
class Breaker {
  readonly #clock: Clock
  #failures = 0
  #failedAt = 0

  constructor(clock: Clock) {
    this.#clock = clock
  }

  get isOpen(): boolean {
    if (this.#failures === 0) return false
    const past = this.#clock() - this.#failedAt
    // A clock that was set back must not pause it for longer.
    return past >= 0 && past < Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (this.#failures - 1))
  }

  get isKnownToFail(): boolean {
    return this.#failures > 0
  }

  succeeded(): void {
    this.#failures = 0
  }

  failed(): void {
    this.#failedAt = this.#clock()
    this.#failures++
  }
}

const REPLACED =
  'its vectors were replaced by others while they were made. If another program uses this index with a model of the same name, give each model a name of its own.'

class TooSlow extends Error {}

/** Rejects when the time is up or `stop` fires, whether or not the model heeds its signal. */
const within = async <T>(limitMs: number, stop: AbortSignal | undefined, work: (signal: AbortSignal) => Promise<T>): Promise<T> => {
  const limit = AbortSignal.timeout(limitMs)
  const signal = stop ? AbortSignal.any([stop, limit]) : limit
  let giveUp = (): void => {}
  const late = new Promise<never>((_, reject) => {
    giveUp = () => reject(new TooSlow(`it did not answer within ${limitMs} ms.`))
    if (signal.aborted) giveUp()
    else signal.addEventListener('abort', giveUp, { once: true })
  })
  try {
    return await Promise.race([work(signal), late])
  } finally {
    signal.removeEventListener('abort', giveUp)
  }
}

export interface SimilarOptions {
  readonly clock: Clock
  readonly report: (problem: HermesError) => void
  /** How long a search waits for its vector. */
  readonly searchLimitMs: number
}

export const createSimilar = ({ vectors }: HomeRecallIndex, embedding: Embedding, options: SimilarOptions): Similar => {
  const { clock, report, searchLimitMs } = options
  const { model } = embedding
  const breaker = new Breaker(clock)
  let isReported = false
  /** Of the first answer. */
  let dimensions: number | undefined

  const vectorsOf = (texts: readonly string[], isSearch: boolean, stop?: AbortSignal): Promise<readonly Float32Array[]> =>
    within(isSearch ? searchLimitMs : FILL_LIMIT_MS, stop, async (signal) => {
      const found = checked(await embedding.vectors(texts, { isSearch, signal }), texts.length, dimensions)
      // Also if it comes too late: the next one may be faster.
      dimensions ??= found[0]?.length
      breaker.succeeded()
      isReported = false
      return found
    })

  const failed = (cause: unknown): void => {
    // A model that is being loaded has not failed.
    const isLoading = cause instanceof TooSlow && dimensions === undefined && !breaker.isKnownToFail
    breaker.failed()
    if (isReported || isLoading) return
    isReported = true
    // A service may repeat the key that it refuses.
    const reason = redactCredentials(cause instanceof Error ? cause.message : String(cause))
    report(new HermesError('provider', `The embedding model '${model}' failed, so recall finds by words only: ${reason}`, { cause }))
  }

  const orNone = <T>(work: Promise<readonly T[]>): Promise<readonly T[]> =>
    work.catch((cause: unknown) => {
      failed(cause)
      return []
    })

  const fillPiece = async (items: readonly RecallItem[], signal: AbortSignal): Promise<void> => {
    const passages = items.map(passagesOf)
    const texts = passages.flat()
    const made = texts.length === 0 ? [] : await vectorsOf(texts, false, signal)
    let from = 0
    const given = items.map(({ kind, id }, place) => {
      const count = passages[place]?.length ?? 0
      from += count
      return { kind, id, vectors: made.slice(from - count, from) }
    })
    await vectors.set(model, given)
  }

  return {
    async fill(signal) {
      const done = new Set<string>()
      try {
        while (!signal.aborted && !breaker.isOpen) {
          const items = await vectors.missing(model, AT_ONCE)
          if (items.length === 0) return
          await fillPiece(items, signal)
          for (const { kind, id } of items) {
            if (done.has(`${kind} ${id}`)) throw new TypeError(REPLACED)
            done.add(`${kind} ${id}`)
          }
        }
      } catch (cause) {
        if (!signal.aborted) failed(cause)
      }
    },
    meaningOf(text) {
      const passage = passageOf(text)
      const made = passage === undefined || breaker.isOpen ? Promise.resolve([]) : orNone(vectorsOf([passage], true))
      return {
        async nearest(search) {
          const [vector] = await made
          return vector ? orNone(vectors.nearest(model, vector, search)) : []
        },
      }
    },
  }
}
