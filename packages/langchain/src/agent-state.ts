/**
 * What the middleware keeps in the agent's own state: two counts, for a storage that has lost the session, and whose they are. Nothing that is remembered is
 * among them, because streams and checkpoints show a run's state, keys that LangChain calls private included.
 */
import { z } from 'zod'
import { asRecord } from './loose-values.ts'
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

/** A run that begins with the user's words is a turn; one that goes on behind a tool result or an approval is not, and writes nothing. */
export const withTurn = (state: unknown, messages: readonly unknown[], ownerKey?: string): AgentStateUpdate | undefined => {
  if (messageType(messages.at(-1)) !== 'human') return undefined
  const { checkpoint, ownerKey: before } = keptIn(state)
  // Counts that nobody is known to own, of a time when the agent served one person.
  if (before !== ownerKey) return { _hermesTurns: 1, _hermesIterations: 0, ...(ownerKey === undefined ? {} : { _hermesOwner: ownerKey }) }
  return { _hermesTurns: (checkpoint?.userTurns ?? 0) + 1 }
}

export const withIteration = (state: unknown): AgentStateUpdate => ({ _hermesIterations: count(asRecord(state)['_hermesIterations']) + 1 })
