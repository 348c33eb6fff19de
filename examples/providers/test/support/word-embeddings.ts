/** Similarity by common words, for tests without a model. */
import { createHash } from 'node:crypto'
import { Embeddings } from '@langchain/core/embeddings'

export const DIMENSIONS = 512

export const wordsOf = (text: string): readonly string[] => text.toLowerCase().match(/[\p{L}\p{N}]{4,}/gu) ?? []

export const vectorOf = (text: string): number[] => {
  const vector = Array.from({ length: DIMENSIONS }, () => 0)
  for (const word of wordsOf(text)) {
    const place = createHash('sha256').update(word).digest().readUInt16BE() % DIMENSIONS
    vector[place] = (vector[place] ?? 0) + 1
  }
  return vector
}

/** The share of the words of `query` that are in `text`. */
export const overlap = (query: string, text: string): number => {
  const words = new Set(wordsOf(text))
  const asked = wordsOf(query)
  return asked.length === 0 ? 0 : asked.filter((word) => words.has(word)).length / asked.length
}

export class WordEmbeddings extends Embeddings {
  constructor() {
    super({})
  }

  override async embedDocuments(texts: string[]): Promise<number[][]> {
    return texts.map(vectorOf)
  }

  override async embedQuery(text: string): Promise<number[]> {
    return vectorOf(text)
  }
}
