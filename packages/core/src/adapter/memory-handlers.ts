/** Claude's memory tool for the Anthropic SDK: `betaMemoryTool(hermesMemoryTool(session))`, or in a loop of one's own. */
import type { TurnMessage } from '../proposal/turn-message.ts'
import type { Session } from '../session/session.ts'
import { memoryCommands } from './memory-files.ts'

type Handler = (command: object) => Promise<string>

export interface HermesMemoryHandlers {
  readonly view: Handler
  readonly create: Handler
  readonly str_replace: Handler
  readonly insert: Handler
  readonly delete: Handler
  readonly rename: Handler
}

export interface HermesMemoryToolOptions {
  /**
   * The conversation so far, by which a write counts as the agent's own or as from outside. Default: what the host gave to `session.beginStep`; without either a
   * write counts as from outside.
   */
  readonly messages?: () => readonly TurnMessage[]
}

/**
 * The six commands of the tool type `memory_20250818` on the memory and skills of a session. A refusal is a text for the model; no handler rejects. Throws a
 * TypeError for what is no session.
 */
export const hermesMemoryTool = (session: Session, { messages }: HermesMemoryToolOptions = {}): HermesMemoryHandlers => {
  const run = memoryCommands('hermesMemoryTool', session)
  const handler =
    (command: keyof HermesMemoryHandlers): Handler =>
    (input) =>
      run({ ...input, command }, () => (messages ? { messages: messages() } : {}))
  return {
    view: handler('view'),
    create: handler('create'),
    str_replace: handler('str_replace'),
    insert: handler('insert'),
    delete: handler('delete'),
    rename: handler('rename'),
  }
}
