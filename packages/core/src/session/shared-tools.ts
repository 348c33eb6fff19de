/** Tools that one agent offers to all sessions: the session is determined for each call. */
import type { TurnMessage } from '../proposal/turn-message.ts'
import type { ToolContext, ToolDefinition, ToolRefusal } from '../tools/tool-definition.ts'
import type { WiringFailure } from './hermes-event.ts'
import type { ModelToolCall } from './nested-run.ts'
import type { Session, ToolOffer } from './session.ts'
import type { OfferedTool } from './trusted-tools.ts'
import { addNobodysCall, closeNobodysCall, type ToolCallReference } from './session-nesting.ts'

export interface SharedToolsDeps {
  /** Opens any session with the same options, as the source of names, descriptions and schemas. Called once. */
  readonly pattern: () => Session
  /** The session of a call that is about to run; undefined the second time. */
  readonly sessionOfRun: (call: ToolCallReference) => Session | undefined
  readonly reportWiring: (failure: WiringFailure) => void
}

export interface SharedTools {
  /**
   * As `session.offerTools`, for all sessions: the session is that of the model that made the call, as reported with `noteToolCall`. A call is refused, with
   * an event, if its session is unknown or ambiguous, or if it has run before.
   */
  offerTools(offer?: ToolOffer): readonly ToolDefinition[]
  /**
   * Reports that a call of the session offers these tools, or tools with these names: the frozen text then names those made by `offerTools`. For adapters,
   * before `systemBlock()`.
   */
  noteOffered(session: Session, offered: readonly (string | OfferedTool)[]): void
  /**
   * Reports a tool call of a model call that belongs to no session. Several providers restart the ids of tool calls in every answer: a session's call with
   * the same id and conversation is refused until a prompt given to `beginUnownedStep` shows the result. For adapters, before the host can run the tool.
   * Never throws.
   */
  noteUnownedCall(call: ModelToolCall): void
  /** Reports a model call that belongs to no session, before it is made. For adapters. Never throws. */
  beginUnownedStep(prompt: readonly TurnMessage[]): void
}

const REFUSAL = {
  success: false,
  done: true,
  code: 'wiring',
  error: 'It is not known whose memory this is, so nothing was read or written. Do not call it again in this turn; go on with the task.',
} as const satisfies ToolRefusal

const unknownSession = (tool: string): WiringFailure => ({
  mistake: 'missing-session',
  message: `The tool '${tool}' was called, but not by a model that is known to belong to a session, so nothing was read or written. Wrap the model that calls it for the same Hermes or homes, let each call name its owner and session, and run the tool in the same process, once for each call, with the user's messages as the model was shown them. If that is not possible, offer the tools of the one session.`,
})

export const sharedTools = ({ pattern, sessionOfRun, reportWiring }: SharedToolsDeps): SharedTools => {
  // Descriptions by tool name, for each prefix.
  const offers = new Map<string, ReadonlyMap<string, string>>()
  let lender: Session | undefined

  const execute = async (prefix: string, { name }: ToolDefinition, input: unknown, context?: ToolContext) => {
    const id = context?.toolCallId
    const session = id === undefined ? undefined : sessionOfRun({ id, name, messages: context?.messages })
    const tool = session?.offerTools({ prefix, only: [name.slice(prefix.length)] })[0]
    if (tool) return tool.execute(input, context)
    reportWiring(unknownSession(name))
    return REFUSAL
  }

  return {
    offerTools({ prefix = '', only } = {}) {
      lender ??= pattern()
      const tools = lender.offerTools({ prefix, only })
      offers.set(prefix, new Map([...(offers.get(prefix) ?? []), ...tools.map(({ name, description }) => [name, description] as const)]))
      return tools.map((tool) => ({ ...tool, execute: (input, context) => execute(prefix, tool, input, context) }))
    },
    noteOffered(session, offered) {
      for (const [prefix, descriptions] of offers) {
        const own = offered
          .map((tool): OfferedTool => (typeof tool === 'string' ? { name: tool } : tool))
          .filter(({ name, description = descriptions.get(name) }) => description !== undefined && description === descriptions.get(name))
          .map(({ name }) => name.slice(prefix.length))
        if (own.length > 0) session.offerTools({ prefix, only: own })
      }
    },
    noteUnownedCall: addNobodysCall,
    beginUnownedStep: closeNobodysCall,
  }
}
