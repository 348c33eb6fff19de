/** A tool call as the model made it. Adapters report it, so that the tool and whatever runs inside it can be told whose work it is. */
import type { TurnMessage } from '../proposal/turn-message.ts'

export interface ModelToolCall {
  readonly id: string
  /** The name under which the host offers the tool. */
  readonly name: string
  /** The arguments: an object, or its JSON text. */
  readonly input: unknown
  /** The prompt that the model answered, the same array as given to `beginStep`. */
  readonly prompt: readonly TurnMessage[]
  /** The host's signal for the turn: an aborted turn waits for no tool. */
  readonly signal?: AbortSignal | undefined
}

const MAX_DEPTH = 8
const MAX_TEXTS = 50

const textsIn = (value: unknown, depth: number): readonly string[] => {
  if (typeof value === 'string') return [value]
  if (typeof value !== 'object' || value === null || depth > MAX_DEPTH) return []
  return Object.values(value).flatMap((each) => textsIn(each, depth + 1))
}

const parse = (input: unknown): unknown => {
  if (typeof input !== 'string') return input
  try {
    return JSON.parse(input)
  } catch {
    return input
  }
}

/** The texts in a call's arguments, trimmed; at most 50. Blank ones are left out. */
export const argumentTexts = (input: unknown): readonly string[] =>
  textsIn(parse(input), 0)
    .map((text) => text.trim())
    .filter((text) => text !== '')
    .slice(0, MAX_TEXTS)
