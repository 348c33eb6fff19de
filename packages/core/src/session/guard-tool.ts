/** What surrounds a session's tools: whose call it is, and what the result shows. */
import type { TurnMessage } from '../proposal/turn-message.ts'
import { describeCall } from '../tools/describe-call.ts'
import type { ToolContext, ToolDefinition, ToolRefusal } from '../tools/tool-definition.ts'
import type { WiringFailure } from './hermes-event.ts'
import type { OpenSession } from './open-session.ts'
import type { SessionContext } from './session-context.ts'
import type { SessionNesting } from './session-nesting.ts'

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

/** Marks user messages that another agent wrote as text from outside. */
const withoutUser = (messages: readonly TurnMessage[] = []): readonly TurnMessage[] =>
  messages.map((message) => (message.role === 'user' ? { ...message, outside: true } : message))

/** True if the call is known to belong to a nested run. An unreported call is judged by its conversation. */
const isNestedCall = (
  owner: 'own' | 'nested' | 'unknown',
  context: ToolContext | undefined,
  nesting: Pick<SessionNesting, 'isNested'>,
): boolean => owner === 'nested' || (owner === 'unknown' && context?.messages !== undefined && nesting.isNested(context.messages))

/** Our own tools: what they give out is remembered, so that it is recognised when a prompt shows it; text from outside that they show is in sight. */
export const toldTool = (tool: ToolDefinition, open: Pick<OpenSession, 'whenReady' | 'taint'>): ToolDefinition => ({
  ...tool,
  execute: async (input, context) => {
    let showsOutside = false
    const onOutside = () => {
      showsOutside = true
    }
    const result = await tool.execute(input, { ...context, onOutside })
    if (showsOutside) open.taint()
    else open.whenReady((state) => state.noteResult(JSON.stringify(result), describeCall(tool.name, input, result)))
    return result
  },
})

/** A session's tool as the host runs it: it acts only for calls of the session's own home, and a sub-agent's question never counts as the user's words. */
export const guardTool = (tool: ToolDefinition, context: Pick<SessionContext, 'id' | 'nesting' | 'reportWiring'>): ToolDefinition => ({
  ...tool,
  execute: async (input, call) => {
    const { id, nesting } = context
    const owner = call?.toolCallId === undefined ? 'unknown' : nesting.ownerOfCall(call.toolCallId, tool.name)
    if (owner === 'other-home') {
      context.reportWiring(otherHome(id, tool.name))
      return REFUSAL
    }
    if (!isNestedCall(owner, call, nesting)) return tool.execute(input, call)
    return tool.execute(input, { ...call, messages: withoutUser(call?.messages) })
  },
})
