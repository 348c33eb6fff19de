/** Messages and tools of a scene in the forms of LangChain. */
import { AIMessage, type BaseMessage, HumanMessage, ToolMessage } from '@langchain/core/messages'
import { DynamicStructuredTool, type StructuredToolInterface } from '@langchain/core/tools'
import type { Ask, Attachment, HostTool, UserMessage, WindowMessage } from '../scene.ts'
import { nextId } from './surface.ts'

const attached = ({ name, mediaType, text }: Attachment) =>
  mediaType.startsWith('image/')
    ? { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA', detail: name } }
    : { type: 'file', source_type: 'text', mime_type: mediaType, text: text ?? '', metadata: { filename: name } }

export const ofUser = ({ text, name, attachments = [] }: UserMessage): HumanMessage => {
  const content = [{ type: 'text', text }, ...attachments.map(attached)]
  return new HumanMessage({ content: content.length === 1 ? text : content, ...(name === undefined ? {} : { name }) })
}

export const inWindow = (message: WindowMessage): readonly BaseMessage[] => {
  if (message.role === 'user') return [ofUser(message)]
  if (message.role === 'assistant') return [new AIMessage(message.text)]
  const { name, text } = message
  const id = nextId()
  return [
    new AIMessage({ content: '', tool_calls: [{ id, name, args: {}, type: 'tool_call' }] }),
    new ToolMessage({ content: text, tool_call_id: id, name }),
  ]
}

export const textOfMessage = (message: BaseMessage | undefined): string => message?.text ?? ''

const ANYTHING = { type: 'object', properties: {}, additionalProperties: true } as const

const idIn = (config: unknown): string => String(Reflect.get(Object(Reflect.get(Object(config), 'toolCall')), 'id') ?? '')

/** `own`: the session's tools, whose description a tool may copy. */
export const toTool = (
  { name, description, copies, answersAs, run }: HostTool,
  ask: Ask,
  own: readonly StructuredToolInterface[],
): StructuredToolInterface =>
  new DynamicStructuredTool({
    name,
    description: own.find((each) => each.name === copies)?.description ?? description,
    schema: ANYTHING,
    func: async (_input: unknown, _manager?: unknown, config?: unknown): Promise<unknown> => {
      const content = await run(ask)
      return answersAs === undefined ? content : new ToolMessage({ content, tool_call_id: idIn(config), name: answersAs })
    },
  })

/** Runs one call; what the tool throws becomes an error message. */
export const runCall = async (
  tools: readonly StructuredToolInterface[],
  call: NonNullable<AIMessage['tool_calls']>[number],
  config: object,
): Promise<ToolMessage> => {
  const about = { tool_call_id: call.id ?? '', name: call.name }
  const tool = tools.find(({ name }) => name === call.name)
  try {
    const result: unknown = await tool?.invoke({ ...call, type: 'tool_call' }, config)
    return result instanceof ToolMessage ? result : new ToolMessage({ ...about, content: String(result) })
  } catch (cause) {
    return new ToolMessage({ ...about, content: `Error: ${cause instanceof Error ? cause.message : String(cause)}`, status: 'error' })
  }
}
