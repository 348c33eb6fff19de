/** Appends the memory block to the last leading system message, because several providers refuse a second one. Pure. */

import { asText, joinBlock } from '@hermes/core/adapter'
import { type BaseMessage, SystemMessage } from '@langchain/core/messages'
import { contentText } from './content-text.ts'
import { messageType } from './message-type.ts'

type Content = SystemMessage['content']

const isPlainText = (part: object | undefined): part is { type: 'text'; text: string } =>
  part !== undefined && 'type' in part && part.type === 'text' && 'text' in part && Object.keys(part).length === 2

/**
 * Joins to one text if possible, because gateways join two parts without a space. A part with extra fields, such as a cache breakpoint,
 * stays as it is.
 */
const appended = (content: Content, block: string): Content => {
  if (typeof content === 'string') return joinBlock(content, block)
  const last = content.at(-1)
  if (!isPlainText(last)) return [...content, { type: 'text', text: block }]
  return [...content.slice(0, -1), { type: 'text', text: joinBlock(String(last.text), block) }]
}

/** A copy of the host's system message with the block appended. */
export const extendSystemMessage = (message: BaseMessage, block: string): SystemMessage =>
  new SystemMessage({
    content: appended(message.content, block),
    additional_kwargs: message.additional_kwargs,
    response_metadata: message.response_metadata,
    ...(message.name === undefined ? {} : { name: message.name }),
    ...(asText(message.id) === '' ? {} : { id: asText(message.id) }),
  })

export const placeBlock = (messages: readonly BaseMessage[], block: string): readonly BaseMessage[] => {
  if (block === '') return messages
  const firstOther = messages.findIndex((message) => messageType(message) !== 'system')
  const leading = messages.slice(0, firstOther < 0 ? messages.length : firstOther)
  const last = leading.at(-1)
  // The block is already there: the host added session.systemBlock(), or another Hermes adapter did.
  if (leading.some((message) => contentText(message.content, '\n').includes(block))) return messages
  if (last === undefined) return [new SystemMessage(block), ...messages]
  return [...leading.slice(0, -1), extendSystemMessage(last, block), ...messages.slice(leading.length)]
}
