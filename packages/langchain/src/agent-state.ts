/**
 * What the middleware keeps in the agent's own state, for a storage that has lost the session: two counts. Nothing that is remembered is among them, because
 * streams and checkpoints show a run's state, keys that LangChain calls private included.
 */
import type { SessionCheckpoint } from '@hermes/core'
import { z } from 'zod'
import { asRecord } from './loose-values.ts'
import { messageType } from './message-type.ts'

/** The underscore keeps a key out of a run's input and result; streams and checkpoints have it all the same. */
export const agentStateSchema = z.object({
  _hermesTurns: z.number().optional(),
  _hermesIterations: z.number().optional(),
})

export type AgentStateUpdate = z.infer<typeof agentStateSchema>

const count = (value: unknown): number => (typeof value === 'number' && Number.isInteger(value) && value > 0 ? value : 0)

/** Undefined on a thread's first run, and without a checkpointer. */
export const checkpointIn = (state: unknown): SessionCheckpoint | undefined => {
  const { _hermesTurns: turns, _hermesIterations: iterations } = asRecord(state)
  const checkpoint = { userTurns: count(turns), toolIterations: count(iterations) }
  return checkpoint.userTurns + checkpoint.toolIterations > 0 ? checkpoint : undefined
}

/** A run that begins with the user's words is a turn; one that goes on behind a tool result or an approval is not, and writes nothing. */
export const withTurn = (state: unknown, messages: readonly unknown[]): AgentStateUpdate | undefined =>
  messageType(messages.at(-1)) === 'human' ? { _hermesTurns: count(asRecord(state)['_hermesTurns']) + 1 } : undefined

export const withIteration = (state: unknown): AgentStateUpdate => ({ _hermesIterations: count(asRecord(state)['_hermesIterations']) + 1 })
