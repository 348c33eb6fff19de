/** What the middleware keeps in the agent's own state: private, written to whatever checkpointer the host has, read where Hermes' storage has lost the session. */
import type { SessionCheckpoint } from '@hermes/core'
import { z } from 'zod'
import { asRecord } from './loose-values.ts'
import { messageType } from './message-type.ts'

/** The underscore makes a key private: no input, no output, but part of each checkpoint. */
export const agentStateSchema = z.object({
  _hermesBlock: z.string().optional(),
  _hermesTurns: z.number().optional(),
  _hermesIterations: z.number().optional(),
})

export type AgentStateUpdate = z.infer<typeof agentStateSchema>

const count = (value: unknown): number => (typeof value === 'number' && Number.isInteger(value) && value > 0 ? value : 0)

/** Undefined on a thread's first run, and without a checkpointer. */
export const checkpointIn = (state: unknown): SessionCheckpoint | undefined => {
  const { _hermesBlock: block, _hermesTurns: turns, _hermesIterations: iterations } = asRecord(state)
  return typeof block === 'string' ? { block, userTurns: count(turns), toolIterations: count(iterations) } : undefined
}

/** A run that begins with the user's words is a turn; one that goes on behind a tool result or an approval is not. */
export const withTurn = (state: unknown, block: string, messages: readonly unknown[]): AgentStateUpdate => {
  const begun = messageType(messages.at(-1)) === 'human' ? 1 : 0
  return { _hermesBlock: block, _hermesTurns: count(asRecord(state)['_hermesTurns']) + begun }
}

export const withIteration = (state: unknown): AgentStateUpdate => ({ _hermesIterations: count(asRecord(state)['_hermesIterations']) + 1 })
