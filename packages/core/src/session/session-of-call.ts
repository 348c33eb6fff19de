/** Whose tool call it is: for tools that serve many sessions, and learn only from the call itself which one it belongs to. */
import { type HomeIdentity, isSameHome } from '../homes/home-identity.ts'
import type { TurnMessage } from '../proposal/turn-message.ts'
import { sameTexts, userTexts } from './nested-run.ts'
import { beginRun, isNobodys, type StepEntry, stepsWithCall } from './waiting-steps.ts'

export interface ToolCallReference {
  /** The model's id of the call. Several providers count anew in every answer, so it alone does not tell. */
  readonly id: string
  /** The name under which the host offers the tool. */
  readonly name: string
  /** The conversation that the tool was handed. */
  readonly messages?: readonly TurnMessage[] | undefined
}

export interface SessionReference {
  readonly home: HomeIdentity
  readonly sessionId: string
}

const isShownIn = (messages: readonly TurnMessage[] | undefined, { said }: StepEntry): boolean =>
  messages === undefined || sameTexts(userTexts(messages), said)

/**
 * Undefined in doubt: where no reported call has this id, name and conversation, or those of two sessions have, or one of nobody. `belongs`: the homes that are
 * asked about. `runs`: a tool is about to run, which each call may do once: a conversation that a client sends can repeat the call of another person's.
 */
export const sessionOfCall = (
  { id, name, messages }: ToolCallReference,
  belongs: (home: HomeIdentity) => boolean,
  { runs }: { readonly runs: boolean },
): SessionReference | undefined => {
  const steps = stepsWithCall(id, name).filter((entry) => (belongs(entry.home) || isNobodys(entry)) && isShownIn(messages, entry))
  const [first, ...others] = steps
  if (first === undefined) return undefined
  const isUnambiguous = others.every(({ home, sessionId }) => sessionId === first.sessionId && isSameHome(home, first.home))
  if (!isUnambiguous || isNobodys(first)) return undefined
  return !runs || beginRun(steps, id, name) ? { home: first.home, sessionId: first.sessionId } : undefined
}
