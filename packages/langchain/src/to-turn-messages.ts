/** Converts messages of LangChain to turn messages of core, with their speakers and tools. Pure; never throws on unexpected parts. */
import type { TurnMessage } from '@hermes/core'
import { asList, asRecord, asText, withSystemContext } from '@hermes/core/adapter'
import { attachmentText, type ContentPart, contentParts, contentText, isAttachment, toolResultText } from './content-text.ts'
import { messageType } from './message-type.ts'

type Fields = Readonly<Record<string, unknown>>

const named = (toolNames: readonly string[]): { readonly toolNames?: readonly string[] } => {
  const known = toolNames.filter((name) => name !== '')
  return known.length === 0 ? {} : { toolNames: known }
}

/** Text that a middleware added to the conversation, such as a summary: it has the role of the user but is not the user's. */
const isMadeUp = (message: Fields): boolean => asText(asRecord(message['additional_kwargs'])['lc_source']) !== ''

/** A name marks another speaker, such as another agent. */
const isForeign = (message: Fields): boolean => isMadeUp(message) || asText(message['name']) !== ''

/** Whether the message has words of the user, and so exactly one message of them in `toTurnMessages`. */
export const isUserMessage = (message: unknown): boolean => messageType(message) === 'human' && !isForeign(asRecord(message))

// The user's own text comes first, even if empty: a message with only an attachment is still a user turn.
const userMessages = (message: Fields): readonly TurnMessage[] => {
  const text = contentText(message['content'], '\n')
  if (isForeign(message)) return [{ role: 'user', text, outside: true }]
  const files = contentParts(message['content']).filter(isAttachment)
  const id = asText(message['id'])
  return [
    { role: 'user', text, ...(id === '' ? {} : { id }) },
    ...files.map((part): TurnMessage => ({ role: 'user', text: attachmentText(part), outside: true })),
  ]
}

// Results of tools that the provider runs are part of the assistant's message, but are still outside text.
const isServerResult = (part: ContentPart): boolean => /tool(_call)?_result$/.test(asText(part['type']))

const isCitation = (part: ContentPart): boolean => asList(part['annotations']).length > 0 || asList(part['citations']).length > 0

const serverResults = (message: Fields): readonly TurnMessage[] => {
  const parts = contentParts(message['content'])
  return [
    ...parts.filter(isServerResult),
    ...parts.filter(isCitation).map((part) => part['annotations'] ?? part['citations']),
    ...toolOutputs(message),
  ].map((result): TurnMessage => ({ role: 'tool', text: toolResultText(asRecord(result)['content'] ?? result) }))
}

const toolOutputs = (message: Fields): readonly unknown[] => asList(asRecord(message['additional_kwargs'])['tool_outputs'])

/** Tools that the provider ran within the answer: they need no result from the host, but count as tool use. */
const ranServerTools = (message: Fields): boolean =>
  toolOutputs(message).length > 0 ||
  contentParts(message['content']).some((part) => isServerResult(part) || /^server_tool_(use|call)$/.test(asText(part['type'])))

export const calledToolNames = (message: unknown): readonly string[] => {
  const { tool_calls: calls, invalid_tool_calls: invalid } = asRecord(message)
  return [...asList(calls), ...asList(invalid)].map((call) => asText(asRecord(call)['name']))
}

/** Whether the message calls a tool, either the agent's own or one of the provider's. */
export const calledTools = (message: unknown): boolean => calledToolNames(message).length > 0 || ranServerTools(asRecord(message))

const assistantMessages = (message: Fields): readonly TurnMessage[] => {
  const text = contentText(message['content'])
  const toolNames = calledToolNames(message)
  const said: readonly TurnMessage[] = text === '' && toolNames.length === 0 ? [] : [{ role: 'assistant', text, ...named(toolNames) }]
  // Results first, since the text is based on them.
  return [...serverResults(message), ...said]
}

const systemTexts = (messages: readonly unknown[]): readonly string[] =>
  messages.filter((message) => messageType(message) === 'system').map((message) => contentText(asRecord(message)['content'], '\n'))

const callNames = (messages: readonly unknown[]): ReadonlyMap<string, string> =>
  new Map(
    messages
      .flatMap((message) => asList(asRecord(message)['tool_calls']))
      .map(asRecord)
      .map((call) => [asText(call['id']), asText(call['name'])]),
  )

/**
 * Omits reasoning, and system messages except for text fenced with `fenceContext` of core. Files are named in brackets; tool results are
 * cut to a maximum length and carry their tool's name.
 */
export const toTurnMessages = (messages: readonly unknown[]): readonly TurnMessage[] => {
  const nameOfCall = callNames(messages)
  const turn = messages.flatMap((value): readonly TurnMessage[] => {
    const message = asRecord(value)
    switch (messageType(value)) {
      case 'human':
        return userMessages(message)
      case 'ai':
        return assistantMessages(message)
      case 'tool': {
        // The name that a result gives itself proves nothing.
        const name = nameOfCall.get(asText(message['tool_call_id'])) ?? ''
        const failed = message['status'] === 'error'
        return [{ role: 'tool', text: toolResultText(message['content']), ...named([name]), ...(failed ? { failed } : {}) }]
      }
      case 'other':
        return [{ role: 'user', text: contentText(message['content'], '\n'), outside: true }]
      default:
        return []
    }
  })
  return withSystemContext(turn, systemTexts(messages))
}
