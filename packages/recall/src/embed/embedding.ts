/** The port of an embedding model: what the option `embed` becomes, whichever form it was given in. */

export interface EmbedCall {
  /** True for the text of a search, which a turn waits for; false for texts of the index. */
  readonly isSearch: boolean
  /** Fires when nobody waits for the answer any more. */
  readonly signal: AbortSignal
}

export interface Embedding {
  /** Names the model: vectors of another one are made anew. */
  readonly model: string
  /** Why the model cannot be used, with what to do; undefined if nothing is known to be missing. */
  problem(): string | undefined
  /** A vector for each text, in the same order. The caller checks what it resolves to. */
  vectors(texts: readonly string[], call: EmbedCall): Promise<unknown>
}
