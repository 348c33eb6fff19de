/** A session's tool as the host runs it: it acts for calls of the session's own home alone, and a sub-agent's question never passes for the user's words. */
import type { TurnMessage } from '../proposal/turn-message.ts'
import type { ToolContext, ToolDefinition } from '../tools/tool-definition.ts'
import type { ToolRefusal } from '../tools/tool-results.ts'
import type { WiringFailure } from './hermes-event.ts'
import type { SessionNesting } from './session-nesting.ts'

export interface ToolGuards {
  readonly sessionId: string
  readonly nesting: Pick<SessionNesting, 'isNested' | 'ownerOfCall'>
  readonly reportWiring: (failure: WiringFailure) => void
}

const otherHome = (sessionId: string, tool: string): WiringFailure => ({
  mistake: 'other-home',
  message: `The tool '${tool}' of session '${sessionId}' was called by a model that is wrapped for another home, so nothing was read or written. Take the model and the tools of a call from the same createHermes object.`,
})

const REFUSAL = {
  success: false,
  done: true,
  code: 'wiring',
  error:
    'This tool belongs to another conversation, so nothing was read or written. Do not call it again in this turn; go on with the task.',
} as const satisfies ToolRefusal

/** What another agent wrote in the user's place. */
const withoutUser = (messages: readonly TurnMessage[] = []): readonly TurnMessage[] =>
  messages.map((message) => (message.role === 'user' ? { ...message, outside: true } : message))

/** Is it known to be part of a turn's own work, or of a nested run? A call that nobody reported is judged by its conversation. */
const isNestedCall = (owner: 'own' | 'nested' | 'unknown', context: ToolContext | undefined, nesting: ToolGuards['nesting']): boolean =>
  owner === 'nested' || (owner === 'unknown' && context?.messages !== undefined && nesting.isNested(context.messages))

export const guardTool = (tool: ToolDefinition, { sessionId, nesting, reportWiring }: ToolGuards): ToolDefinition => ({
  ...tool,
  execute: async (input, context) => {
    const id = context?.toolCallId
    const owner = id === undefined ? 'unknown' : nesting.ownerOfCall(id, tool.name)
    if (owner === 'other-home') {
      reportWiring(otherHome(sessionId, tool.name))
      return REFUSAL
    }
    if (!isNestedCall(owner, context, nesting)) return tool.execute(input, context)
    return tool.execute(input, { ...context, messages: withoutUser(context?.messages) })
  },
})
