/**
 * What the middleware keeps in the agent's own state: two counts, for a storage that has lost the session, and whose they are. Nothing that is remembered is
 * among them, because streams and checkpoints show a run's state, keys that LangChain calls private included.
 */

import { asRecord } from '@hermes/core/adapter'
import { z } from 'zod'
import { messageType } from './message-type.ts'
import type { KeptState } from './resolve-session.ts'

/** The underscore keeps a key out of a run's input and result; streams and checkpoints have it all the same. */
export const agentStateSchema = z.object({
  _hermesTurns: z.number().optional(),
  _hermesIterations: z.number().optional(),
  /** Whose thread it is, where the agent serves many people. */
  _hermesOwner: z.string().optional(),
})

export type AgentStateUpdate = z.infer<typeof agentStateSchema>

const count = (value: unknown): number => (typeof value === 'number' && Number.isInteger(value) && value > 0 ? value : 0)

/** Without a checkpoint on a thread's first run, and without a checkpointer. */
export const keptIn = (state: unknown): KeptState => {
  const { _hermesTurns: turns, _hermesIterations: iterations, _hermesOwner: owner } = asRecord(state)
  const checkpoint = { userTurns: count(turns), toolIterations: count(iterations) }
  return {
    ...(checkpoint.userTurns + checkpoint.toolIterations > 0 ? { checkpoint } : {}),
    ...(typeof owner === 'string' ? { ownerKey: owner } : {}),
  }
}

/**
 * Says whose thread it is, where the run begins with the user's words; undefined where the state says so already. Counts that nobody is known to own are of a
 * time when the agent served one person.
 */
export const withOwner = (state: unknown, messages: readonly unknown[], ownerKey: string): AgentStateUpdate | undefined =>
  messageType(messages.at(-1)) === 'human' && keptIn(state).ownerKey !== ownerKey
    ? { _hermesTurns: 0, _hermesIterations: 0, _hermesOwner: ownerKey }
    : undefined

/** What a run adds to the counts. */
export interface RunCounts {
  /** It began with the user's words; one that goes on behind a tool result or an approval is no turn. */
  readonly isTurn: boolean
  /** Model calls that called tools. */
  readonly iterations: number
}

/** Undefined where the run adds nothing, so that nothing is written. */
export const withCounts = (state: unknown, { isTurn, iterations }: RunCounts): AgentStateUpdate | undefined => {
  const { userTurns = 0, toolIterations = 0 } = keptIn(state).checkpoint ?? {}
  if (!isTurn && iterations === 0) return undefined
  return {
    ...(isTurn ? { _hermesTurns: userTurns + 1 } : {}),
    ...(iterations > 0 ? { _hermesIterations: toolIterations + iterations } : {}),
  }
}
