/** Finds the session of a tool call, for tools that serve many sessions and have only the call to go by. */
import { type HomeIdentity, isSameHome } from '../homes/owner.ts'
import type { TurnMessage } from '../proposal/turn-message.ts'
import { sameTexts, userTexts } from './nested-run.ts'
import { beginRun, hasNoOwner, type StepEntry, stepsWithCall } from './waiting-steps.ts'

export interface ToolCallReference {
  /** The model's id of the call. Not unique: several providers restart their numbering in every answer. */
  readonly id: string
  /** The name under which the host offers the tool. */
  readonly name: string
  /** The conversation that the tool was called with. */
  readonly messages?: readonly TurnMessage[] | undefined
}

export interface SessionReference {
  readonly home: HomeIdentity
  readonly sessionId: string
}

const isShownIn = (messages: readonly TurnMessage[] | undefined, { said }: StepEntry): boolean =>
  messages === undefined || sameTexts(userTexts(messages), said)

/**
 * The session that made a call. Undefined if no reported call has this id, name and conversation, or if calls of two sessions have, or one of a model call
 * without a session. `belongs`: the homes to search. `runs`: the tool is about to run, which each call may do once, since a conversation sent by a client can
 * repeat another person's call.
 */
export const sessionOfCall = (
  { id, name, messages }: ToolCallReference,
  belongs: (home: HomeIdentity) => boolean,
  { runs }: { readonly runs: boolean },
): SessionReference | undefined => {
  const steps = stepsWithCall(id, name).filter((entry) => (belongs(entry.home) || hasNoOwner(entry)) && isShownIn(messages, entry))
  const [first, ...others] = steps
  if (first === undefined) return undefined
  const isUnambiguous = others.every(({ home, sessionId }) => sessionId === first.sessionId && isSameHome(home, first.home))
  if (!isUnambiguous || hasNoOwner(first)) return undefined
  return !runs || beginRun(steps, id, name) ? { home: first.home, sessionId: first.sessionId } : undefined
}
