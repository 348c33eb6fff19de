/** The turns of a session that are under way in this process: begun by a prompt, closed by a finished answer. Several may be at once. */
import type { TurnMessage } from '../proposal/turn-message.ts'
import type { FinishedTurn } from './finished-turn.ts'
import { newestTurn, newTurnKey, splitTurn, turnKeyOf } from './turn.ts'

export interface OpenTurns {
  /** True where the prompt begins a turn, and is no step, retry or regeneration. */
  begin(prompt: readonly TurnMessage[], userTurns: number): boolean
  noteTools(prompt: readonly TurnMessage[]): void
  /** Undefined where the answer belongs to no open turn: a regeneration. `said`: the prompt and the reply. */
  finish(said: readonly TurnMessage[]): FinishedTurn | undefined
  /** Of the newest turn: what another process needs to go on with it. */
  readonly newest: { readonly turnKey: string | undefined; readonly turnOpen: boolean }
}

interface OpenTurn {
  readonly words: readonly TurnMessage[]
  worked: boolean
}

/** Turns that were aborted never close; more than these are not kept in mind. */
const MAX_OPEN = 100

const NONE: readonly TurnMessage[] = []

export const createOpenTurns = (before: { readonly turnKey?: string | undefined; readonly turnOpen: boolean }): OpenTurns => {
  let turnKey = before.turnKey
  // A Map keeps the order of insertion, so the first key is that of the turn begun longest ago.
  const open = new Map<string, OpenTurn>()
  if (turnKey !== undefined && before.turnOpen) open.set(turnKey, { words: NONE, worked: false })

  const find = (prompt: readonly TurnMessage[]): string | undefined => {
    const key = turnKeyOf(prompt)
    if (key !== undefined && open.has(key)) return key
    // The key of a turn stays, unless the host has cut or rewritten the prompt in the middle of it: then it is the newest.
    return key !== turnKey && turnKey !== undefined && open.has(turnKey) ? turnKey : undefined
  }

  return {
    begin(prompt, userTurns) {
      const key = newTurnKey({ turnKey, openKeys: new Set(open.keys()), userTurns }, prompt)
      if (key === undefined) return false
      turnKey = key
      open.set(key, { words: splitTurn(newestTurn(prompt) ?? NONE).words, worked: false })
      const [oldest] = open.keys()
      if (open.size > MAX_OPEN && oldest !== undefined) open.delete(oldest)
      return true
    },
    noteTools(prompt) {
      const turn = open.get(find(prompt) ?? '')
      if (turn) turn.worked = true
    },
    finish(said) {
      const key = find(said)
      const turn = key === undefined ? undefined : open.get(key)
      if (key === undefined || turn === undefined) return undefined
      open.delete(key)
      const shown = newestTurn(said) ?? said
      // As long as the key is the turn's own, so are the words; otherwise those it began with are the true ones.
      const messages = key === turnKeyOf(said) || turn.words.length === 0 ? shown : [...turn.words, ...splitTurn(shown).rest]
      return { messages, worked: turn.worked, before: said.slice(0, said.length - shown.length) }
    },
    get newest() {
      return { turnKey, turnOpen: turnKey !== undefined && open.has(turnKey) }
    },
  }
}
