/** Turns of the exports of ChatGPT and Claude. What their models were shown is only partly in them, so the models' words count as from outside. Pure. */
import { asList, asRecord, asText, cutText, toJson } from '@hermes/core/adapter'
import { type Conversation, outside, type Row, type Said, timeOf, toTurns, userSaid } from './said-turns.ts'

// The export of ChatGPT.

const fromElsewhere = (text: string): Said => ({
  messages: text.trim() === '' ? [] : [{ role: 'assistant', text: cutText(text), outside: true }],
  opens: false,
  calledTools: false,
})

/** Text of a part: written, or what was said aloud as the export wrote it down. Undefined for anything else. */
const wordsOf = (part: unknown): string | undefined => {
  if (typeof part === 'string') return part
  const { content_type: type, text } = asRecord(part)
  return type === 'audio_transcription' ? asText(text) : undefined
}

/** Recordings of what is written down beside them. */
const RECORDINGS = new Set(['audio_asset_pointer', 'real_time_user_audio_video_asset_pointer'])

const isFile = (part: unknown): boolean => wordsOf(part) === undefined && !RECORDINGS.has(asText(asRecord(part)['content_type']))

const chatGptSaid = (message: Row): Said | undefined => {
  const role = asText(asRecord(message['author'])['role'])
  const content = asRecord(message['content'])
  const metadata = asRecord(message['metadata'])
  const parts = asList(content['parts'])
  const text = parts.flatMap((part) => wordsOf(part) ?? []).join('\n') || asText(content['text'])
  if (role === 'user') {
    const isTyped = ['text', 'multimodal_text'].includes(asText(content['content_type']))
    if (!isTyped || metadata['is_visually_hidden_from_conversation'] === true)
      return { messages: outside(text), opens: false, calledTools: false }
    const files = [...parts.filter(isFile), ...asList(metadata['attachments'])]
    return userSaid(
      text,
      files.map((part) => toJson(part)),
    )
  }
  if (role === 'assistant') {
    const recipient = asText(message['recipient']) || 'all'
    return recipient === 'all'
      ? fromElsewhere(text)
      : { messages: [{ role: 'assistant', text: '', toolNames: [recipient] }], opens: false, calledTools: true }
  }
  if (role !== 'tool') return undefined
  return {
    messages: [
      { role: 'tool', text: cutText(text || toJson(content)), toolNames: [asText(asRecord(message['author'])['name']) || 'unknown'] },
    ],
    opens: false,
    calledTools: false,
  }
}

/** From the first message to the newest, on the branch that was shown last. */
const branchOf = (mapping: Row, last: unknown): readonly Row[] => {
  const messages: Row[] = []
  const seen = new Set<string>()
  for (let id = asText(last); id !== '' && !seen.has(id); ) {
    seen.add(id)
    const node = asRecord(mapping[id])
    messages.push(asRecord(node['message']))
    id = asText(node['parent'])
  }
  if (messages.length > 0) return messages.reverse()
  const all = Object.values(mapping).map((node) => asRecord(asRecord(node)['message']))
  return all.toSorted((a, b) => (timeOf(a['create_time']) ?? 0) - (timeOf(b['create_time']) ?? 0))
}

export const chatGptConversation = (exported: Row): Conversation => {
  const at = timeOf(exported['create_time'])
  const said = branchOf(asRecord(exported['mapping']), exported['current_node']).flatMap((message) => {
    const words = chatGptSaid(message)
    return words ? [{ ...words, at: timeOf(message['create_time']) }] : []
  })
  return { turns: toTurns(said, at), at, title: asText(exported['title']) }
}

// The export of Claude.

const claudeSaid = (message: Row): Said => {
  const parts = asList(message['content']).map(asRecord)
  const text =
    parts
      .filter(({ type }) => type === 'text')
      .map((part) => asText(part['text']))
      .join('\n') || asText(message['text'])
  if (message['sender'] !== 'human') {
    const shown = parts.filter(({ type }) => type !== 'text' && type !== 'thinking')
    return { ...fromElsewhere(text), messages: [...fromElsewhere(text).messages, ...shown.map((part) => toJson(part)).flatMap(outside)] }
  }
  const attached = asList(message['attachments'])
    .map(asRecord)
    .map((file) => asText(file['extracted_content']) || toJson(file))
  return userSaid(text, [...attached, ...asList(message['files']).map((part) => toJson(part))])
}

/** Without the branches that were left by an edit or another try: the newest message, and those that it answers. All of them where no message names another. */
const claudeBranch = (messages: readonly Row[]): readonly Row[] => {
  if (!messages.every((message) => asText(message['parent_message_uuid']) !== '')) return messages
  const byId = new Map(messages.map((message) => [asText(message['uuid']), message]))
  const branch = new Set<Row>()
  const newest = messages.reduce<Row | undefined>(
    (last, message) => (last && (timeOf(message['created_at']) ?? 0) < (timeOf(last['created_at']) ?? 0) ? last : message),
    undefined,
  )
  for (let next = newest; next && !branch.has(next); next = byId.get(asText(next['parent_message_uuid']))) branch.add(next)
  return [...branch].reverse()
}

export const claudeConversation = (exported: Row): Conversation => {
  const at = timeOf(exported['created_at'])
  const branch = claudeBranch(asList(exported['chat_messages']).map(asRecord))
  const said = branch.map((message) => ({ ...claudeSaid(message), at: timeOf(message['created_at']) }))
  return { turns: toTurns(said, at), at, title: asText(exported['name']) }
}
