/** A turn of a coding agent, as its transcript tells it: one message of the user, and all that followed until the next one. */
import type { ModelUsage, TurnMessage } from '@hermes/core'

export interface AgentTurn {
  readonly messages: readonly TurnMessage[]
  /** Model calls of this turn that called tools. */
  readonly toolIterations: number
  /** Of all model calls of this turn; undefined if the transcript does not tell. */
  readonly usage: ModelUsage | undefined
  /** When the user wrote, in epoch milliseconds; undefined if the transcript does not tell. */
  readonly at: number | undefined
}

export interface AgentTurns {
  /** What the agent was shown or said before the first of these turns. */
  readonly before: readonly TurnMessage[]
  readonly turns: readonly AgentTurn[]
}

/** Stands for what was not read: it may hold anything, so it is from outside. */
export const UNREAD: TurnMessage = { role: 'user', text: '[earlier messages, which were not read]', outside: true }

interface OpenTurn {
  readonly messages: TurnMessage[]
  readonly at: number | undefined
  /** Ids of model calls. */
  readonly calls: Map<string, { readonly usage: ModelUsage | undefined; calledTools: boolean }>
}

const sumOf = (calls: OpenTurn['calls']): ModelUsage | undefined => {
  const usages = [...calls.values()].flatMap(({ usage }) => usage ?? [])
  const sum = (of: (usage: ModelUsage) => number | undefined) => usages.reduce((total, usage) => total + (of(usage) ?? 0), 0)
  if (usages.length === 0) return undefined
  return {
    inputTokens: sum(({ inputTokens }) => inputTokens),
    cachedInputTokens: sum(({ cachedInputTokens }) => cachedInputTokens),
    outputTokens: sum(({ outputTokens }) => outputTokens),
  }
}

/** Reads the rows of a transcript one by one. */
export interface TranscriptReader {
  add(row: Readonly<Record<string, unknown>>): void
  collected(): AgentTurns
  takeComplete(): AgentTurns
}

/** Collects the turns of a transcript, row by row. */
export class TurnCollector {
  readonly #before: TurnMessage[] = []
  readonly #turns: OpenTurn[] = []

  /** The user's own words: a turn begins. */
  opens(text: string, at: number | undefined): void {
    this.#turns.push({ messages: [{ role: 'user', text }], at, calls: new Map() })
  }

  add(message: TurnMessage): void {
    const turn = this.#turns.at(-1)
    ;(turn?.messages ?? this.#before).push(message)
  }

  /** Text that the host put into the conversation, or into a message of the user. */
  addOutside(text: string): void {
    if (text.trim() !== '') this.add({ role: 'user', text, outside: true })
  }

  /** A model call, of which a transcript may tell in several rows. */
  noteCall(id: string, calledTools: boolean, usage: ModelUsage | undefined): void {
    const calls = this.#turns.at(-1)?.calls
    const known = calls?.get(id)
    // The last row of a call has its final count.
    calls?.set(id, { usage: usage ?? known?.usage, calledTools: calledTools || known?.calledTools === true })
  }

  /** Takes the turns out that are complete, since another has begun; with what was before the first one. */
  takeComplete(): AgentTurns {
    return this.#toTurns(this.#turns.splice(0, Math.max(0, this.#turns.length - 1)))
  }

  collected(): AgentTurns {
    return this.#toTurns(this.#turns)
  }

  #toTurns(open: readonly OpenTurn[]): AgentTurns {
    const turns = open.map(
      ({ messages, at, calls }): AgentTurn => ({
        messages,
        at,
        toolIterations: [...calls.values()].filter(({ calledTools }) => calledTools).length,
        usage: sumOf(calls),
      }),
    )
    return { before: this.#before, turns }
  }
}
