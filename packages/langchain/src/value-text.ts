/** A value of a chain as text for a reviewer: the text of strings and messages, JSON for anything else. Pure; never throws. */

import { asList, asRecord, asText, toJson } from '@hermes/core/adapter'
import { contentText } from './content-text.ts'
import { isMessage } from './message-type.ts'

/** LangChain objects serialise as `{ lc, id, kwargs }`: messages are reduced to their text, other objects to their class name. */
const withoutMachinery = (_key: string, value: unknown): unknown => {
  const { lc, id, kwargs } = asRecord(value)
  if (lc !== 1 || !Array.isArray(id)) return value
  const { content } = asRecord(kwargs)
  return content === undefined ? `[${asText(id.at(-1))}]` : contentText(content, '\n')
}

export const valueText = (value: unknown): string => {
  if (typeof value === 'string') return value
  if (isMessage(value)) return contentText(asRecord(value)['content'])
  const messages = asList(value)
  if (messages.length > 0 && messages.every(isMessage)) return messages.map(valueText).join('\n')
  return value === undefined || value === null ? '' : toJson(value, withoutMachinery)
}
