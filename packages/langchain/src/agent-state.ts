/**
 * What the middleware keeps in the agent's own state: two counts, in case the storage lost the session, and the owner. No memory text,
 * because streams and checkpoints expose a run's state, including keys that LangChain calls private.
 */

import { asRecord } from '@hermes/core/adapter'
import { z } from 'zod'
import { messageType } from './message-type.ts'
import type { KeptState } from './resolve-session.ts'

/** The underscore keeps a key out of a run's input and result, but not out of streams and checkpoints. */
export const agentStateSchema = z.object({
  _hermesTurns: z.number().optional(),
  _hermesIterations: z.number().optional(),
  /** The owner of the thread, if the agent serves many. */
  _hermesOwner: z.string().optional(),
})

/** No messages: LangChain would put all of them into the state again, and stream them, with every update of a hook. */
const noMessages = (): { readonly messages: [] } => ({ messages: [] })

export type AgentStateUpdate = z.infer<typeof agentStateSchema> & { readonly messages: [] }

const count = (value: unknown): number => (typeof value === 'number' && Number.isInteger(value) && value > 0 ? value : 0)

/** Empty on a thread's first run, and without a checkpointer. */
export const keptIn = (state: unknown): KeptState => {
  const { _hermesTurns: turns, _hermesIterations: iterations, _hermesOwner: owner } = asRecord(state)
  const checkpoint = { userTurns: count(turns), toolIterations: count(iterations) }
  return {
    ...(checkpoint.userTurns + checkpoint.toolIterations > 0 ? { checkpoint } : {}),
    ...(typeof owner === 'string' ? { ownerKey: owner } : {}),
  }
}

/**
 * Sets the owner and resets the counts if the run begins with the user's message and the state has another owner or none; otherwise
 * undefined. Counts without an owner were saved when the agent served a single one.
 */
export const withOwner = (state: unknown, messages: readonly unknown[], ownerKey: string): AgentStateUpdate | undefined =>
  messageType(messages.at(-1)) === 'human' && keptIn(state).ownerKey !== ownerKey
    ? { ...noMessages(), _hermesTurns: 0, _hermesIterations: 0, _hermesOwner: ownerKey }
    : undefined

const CHECKPOINTER = '__pregel_checkpointer'

/**
 * False if the state ends with the run: LangGraph tells each step its checkpointer, and it is undefined. Then an update would only cost
 * time.
 */
export const isStateKept = (configurable: Readonly<Record<string, unknown>> | undefined): boolean =>
  configurable === undefined || !(CHECKPOINTER in configurable) || configurable[CHECKPOINTER] !== undefined

/** What a run adds to the counts. */
export interface RunCounts {
  /** The run began with a user message; continuing after a tool result or an approval is not a new turn. */
  readonly isTurn: boolean
  /** Number of model calls that called tools. */
  readonly iterations: number
}

/** Undefined if the run adds nothing, so that nothing is written. */
export const withCounts = (state: unknown, { isTurn, iterations }: RunCounts): AgentStateUpdate | undefined => {
  const { userTurns = 0, toolIterations = 0 } = keptIn(state).checkpoint ?? {}
  if (!isTurn && iterations === 0) return undefined
  return {
    ...noMessages(),
    ...(isTurn ? { _hermesTurns: userTurns + 1 } : {}),
    ...(iterations > 0 ? { _hermesIterations: toolIterations + iterations } : {}),
  }
}
