/** What `hermes learn` reads from: a document, a page or an old conversation, as turns that are read as often as needed and never kept as a whole. */
import { createHash } from 'node:crypto'
import type { TurnMessage } from '@hermes/core'
import { type LearnTurn, stampTranscript } from '@hermes/core/review'

export type SourceTurn = Pick<LearnTurn, 'messages' | 'toolIterations' | 'tainted' | 'at'>

export interface LearnSource {
  /** As a person knows it, and as the journal names it. */
  readonly name: string
  /** Of all its turns. */
  readonly digest: string
  /** Number of its turns. */
  readonly turns: number
  /** Epoch milliseconds: what was said later counts, so older ones are read first. */
  readonly at: number
  /** Rejects if it has changed since. */
  readonly read: () => AsyncIterable<SourceTurn>
}

/** Something that was left out, in words for a person. */
export interface Skipped {
  readonly name: string
  readonly why: string
}

export interface FoundSources {
  readonly sources: readonly LearnSource[]
  readonly skipped: readonly Skipped[]
}

const DIGEST_CHARS = 32

/** Counts turns and computes their digest, one after the other. */
export class TurnDigest {
  readonly #hash = createHash('sha256')
  turns = 0

  add({ messages }: SourceTurn): void {
    this.#hash.update(JSON.stringify(messages.map(({ role, text, outside = false }) => [role, text, outside])))
    this.turns += 1
  }

  end(): string {
    return this.#hash.digest('hex').slice(0, DIGEST_CHARS)
  }
}

/** What the user quotes is from outside too. */
const isOutside = (message: TurnMessage): boolean =>
  message.role === 'tool' || message.outside === true || stampTranscript([message], new Set()).some(({ origin }) => origin === 'tool')

/** The turns with whether text from outside was in sight before each. `before`: what was shown before the first one. */
export class Tainting {
  #tainted: boolean

  constructor(before: readonly TurnMessage[] = []) {
    this.#tainted = before.some(isOutside)
  }

  mark(turn: SourceTurn, before: readonly TurnMessage[] = []): SourceTurn {
    this.#tainted ||= before.some(isOutside)
    const marked = this.#tainted ? { ...turn, tainted: true } : turn
    this.#tainted ||= turn.messages.some(isOutside)
    return marked
  }
}
