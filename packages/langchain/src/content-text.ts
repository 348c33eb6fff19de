/**
 * LangChain message content as plain text: a string, or parts in any provider's format. Limits the length of outside text; never throws.
 */
import { asList, asRecord, asText, cutText, toJson } from '@hermes/core/adapter'

export type ContentPart = Readonly<Record<string, unknown>>

/** A string counts as one text part. */
export const contentParts = (content: unknown): readonly ContentPart[] =>
  typeof content === 'string'
    ? [{ type: 'text', text: content }]
    : asList(content).map((part) => (typeof part === 'string' ? { type: 'text', text: part } : asRecord(part)))

const isText = (part: ContentPart): boolean => part['type'] === 'text' || part['type'] === 'output_text'

/** Text parts only, without reasoning, tool calls and files. */
export const contentText = (content: unknown, glue = ''): string =>
  contentParts(content)
    .filter(isText)
    .map((part) => asText(part['text']))
    .join(glue)

const NOT_A_FILE: ReadonlySet<string> = new Set(['', 'text', 'output_text', 'thinking', 'redacted_thinking', 'reasoning'])

/** Files, images and documents of a user's message. */
export const isAttachment = (part: ContentPart): boolean => !NOT_A_FILE.has(asText(part['type']))

/** `[file: report.pdf, application/pdf]`, followed by the text if the document contains it. */
export const attachmentText = (part: ContentPart): string => {
  const source = asRecord(part['source'])
  const metadata = asRecord(part['metadata'])
  const name = [part['title'], part['filename'], metadata['filename'], metadata['name']].map(asText).find((word) => word !== '') ?? ''
  const type = [part['mimeType'], part['mime_type'], source['media_type'], part['type']].map(asText).find((word) => word !== '') ?? ''
  const text = [part['text'], source['type'] === 'text' ? source['data'] : undefined].map(asText).find((word) => word !== '') ?? ''
  const label = `[file: ${[name, type].filter((word) => word !== '').join(', ')}]`
  return text === '' ? label : `${label}\n${cutText(text)}`
}

/** The result of a tool: its text, or JSON for other content. */
export const toolResultText = (content: unknown): string => {
  if (typeof content === 'string') return cutText(content)
  const words = contentText(content, '\n')
  return cutText(words === '' ? toJson(content) : words)
}
