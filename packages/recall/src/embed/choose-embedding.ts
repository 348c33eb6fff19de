/** What `embed` may be, told apart by its methods: the package of a model is never imported. */
import type { Embedding } from './embedding.ts'
import { createLocalModel } from './local-model.ts'

/** A function of the host's own. */
export interface EmbedFunction {
  /** Of the model: vectors of another one are made anew. */
  readonly model: string
  /** A vector for each text, in the same order. */
  readonly vectors: (texts: readonly string[]) => Promise<readonly (readonly number[])[]>
}

/** An embedding model of the AI SDK (ai 5, 6 and 7), such as `openai.embedding('text-embedding-3-small')`. */
export interface AiSdkEmbeddingModel {
  readonly provider: string
  readonly modelId: string
  readonly maxEmbeddingsPerCall: number | undefined | PromiseLike<number | undefined>
  doEmbed(options: { values: string[]; abortSignal?: AbortSignal }): PromiseLike<{ readonly embeddings: readonly (readonly number[])[] }>
}

/** `Embeddings` of LangChain. */
export interface LangChainEmbeddings {
  embedDocuments(texts: string[]): Promise<number[][]>
  embedQuery(text: string): Promise<number[]>
}

/** `'local'`: a small English model that works offline, in packages of its own. */
export type Embed = 'local' | EmbedFunction | AiSdkEmbeddingModel | LangChainEmbeddings

const has = <Name extends string>(value: unknown, type: 'function' | 'string', ...names: readonly Name[]): value is Record<Name, unknown> =>
  typeof value === 'object' && value !== null && names.every((name) => typeof Reflect.get(value, name) === type)

const isFunction = (embed: unknown): embed is EmbedFunction => has(embed, 'function', 'vectors') && has(embed, 'string', 'model')

const isAiSdk = (embed: unknown): embed is AiSdkEmbeddingModel =>
  has(embed, 'function', 'doEmbed') && has(embed, 'string', 'provider', 'modelId')

const isLangChain = (embed: unknown): embed is LangChainEmbeddings => has(embed, 'function', 'embedDocuments', 'embedQuery')

const noProblem = () => undefined

const fromAiSdk = (embed: AiSdkEmbeddingModel): Embedding => ({
  model: `${embed.provider}/${embed.modelId}`,
  problem: noProblem,
  async vectors(texts, { signal }) {
    const most = Math.max(1, Math.trunc((await embed.maxEmbeddingsPerCall) ?? texts.length))
    const vectors: (readonly number[])[] = []
    for (let from = 0; from < texts.length; from += most) {
      const { embeddings } = await embed.doEmbed({ values: texts.slice(from, from + most), abortSignal: signal })
      vectors.push(...embeddings)
    }
    return vectors
  },
})

/** LangChain names no model; most of its classes have a field for it. */
const fromLangChain = (embed: LangChainEmbeddings): Embedding => {
  const named = ['model', 'modelName'].map((name): unknown => Reflect.get(embed, name)).find((name) => typeof name === 'string')
  return {
    model: `${embed.constructor.name}${named === undefined ? '' : `/${String(named)}`}`,
    problem: noProblem,
    vectors: async (texts, { isSearch }) =>
      isSearch ? Promise.all(texts.map((text) => embed.embedQuery(text))) : embed.embedDocuments([...texts]),
  }
}

/** Throws a TypeError for what cannot be used. */
export const chooseEmbedding = (embed: unknown): Embedding => {
  if (embed === 'local') return createLocalModel()
  if (isFunction(embed)) return { model: embed.model, problem: noProblem, vectors: (texts) => embed.vectors(texts) }
  if (isAiSdk(embed)) return fromAiSdk(embed)
  if (isLangChain(embed)) return fromLangChain(embed)
  const got = typeof embed === 'string' ? `'${embed.slice(0, 80)}'` : `a value of type ${typeof embed}`
  throw new TypeError(
    `embed takes 'local', an embedding model of the AI SDK, Embeddings of LangChain, or { model, vectors } with the name of the model and a function from texts to their vectors, but got ${got}.`,
  )
}
