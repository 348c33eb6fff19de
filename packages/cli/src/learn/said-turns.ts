/** What was said in an old conversation, message by message, and the turns that it makes. Pure. */
import type { TurnMessage } from '@hermes/core'
import { asText, cutText } from '@hermes/core/adapter'
import { type SourceTurn, Tainting } from './learn-source.ts'

export type Row = Readonly<Record<string, unknown>>

export interface Conversation {
  readonly turns: readonly SourceTurn[]
  /** Epoch milliseconds; undefined if it does not say. */
  readonly at: number | undefined
  readonly title: string
}

export interface Said {
  readonly messages: readonly TurnMessage[]
  /** The user's own words: a turn begins. */
  readonly opens: boolean
  readonly calledTools: boolean
  /** Epoch milliseconds; absent if it does not say. */
  readonly at?: number | undefined
}

export const outside = (text: string): readonly TurnMessage[] =>
  text.trim() === '' ? [] : [{ role: 'user', text: cutText(text), outside: true }]

export const userSaid = (text: string, attached: readonly string[]): Said => {
  const own: readonly TurnMessage[] = text.trim() === '' ? [] : [{ role: 'user', text }]
  return { messages: [...own, ...attached.flatMap(outside)], opens: own.length > 0, calledTools: false }
}

/** What stood before the first message of the user is no turn, but was in sight. `begunAt`: of the conversation, for messages that do not say. */
export const toTurns = (said: readonly Said[], begunAt?: number): readonly SourceTurn[] => {
  const turns: { messages: TurnMessage[]; toolIterations: number; at?: number }[] = []
  const before: TurnMessage[] = []
  for (const { messages, opens, calledTools, at = begunAt } of said) {
    if (opens) turns.push({ messages: [], toolIterations: 0, ...(at === undefined ? {} : { at }) })
    const turn = turns.at(-1)
    ;(turn?.messages ?? before).push(...messages)
    if (turn && calledTools) turn.toolIterations += 1
  }
  const tainting = new Tainting(before)
  return turns.map((turn) => tainting.mark(turn))
}

/** Epoch milliseconds; undefined for what is no time. `Date.parse` would find one in almost any text with a number. */
export const timeOf = (value: unknown): number | undefined => {
  const text = asText(value)
  const at = typeof value === 'number' ? (value < 1e11 ? value * 1_000 : value) : /^\d{4}-\d\d/.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(new Date(at).getTime()) ? undefined : at
}
