/** Turns of exported conversations: whose words each message is. What the user typed is the user's; files, results of tools and quoted sources are from outside. Pure. */
import type { TurnMessage } from '@hermes/core'
import { asList, asRecord, asText, cutText, toJson } from '@hermes/core/adapter'
import { type SourceTurn, Tainting } from './learn-source.ts'

type Row = Readonly<Record<string, unknown>>

export interface Conversation {
  readonly turns: readonly SourceTurn[]
  /** Epoch milliseconds; undefined if it does not say. */
  readonly at: number | undefined
  readonly title: string
}

interface Said {
  readonly messages: readonly TurnMessage[]
  /** The user's own words: a turn begins. */
  readonly opens: boolean
  readonly calledTools: boolean
}

const outside = (text: string): readonly TurnMessage[] => (text.trim() === '' ? [] : [{ role: 'user', text: cutText(text), outside: true }])

const userSaid = (text: string, attached: readonly string[]): Said => {
  const own: readonly TurnMessage[] = text.trim() === '' ? [] : [{ role: 'user', text }]
  return { messages: [...own, ...attached.flatMap(outside)], opens: own.length > 0, calledTools: false }
}

/** What stood before the first message of the user is no turn, but was in sight. */
const toTurns = (said: readonly Said[]): readonly SourceTurn[] => {
  const turns: { messages: TurnMessage[]; toolIterations: number }[] = []
  const before: TurnMessage[] = []
  for (const { messages, opens, calledTools } of said) {
    if (opens) turns.push({ messages: [], toolIterations: 0 })
    const turn = turns.at(-1)
    ;(turn?.messages ?? before).push(...messages)
    if (turn && calledTools) turn.toolIterations += 1
  }
  const tainting = new Tainting(before)
  return turns.map((turn) => tainting.mark(turn))
}

const timeOf = (value: unknown): number | undefined => {
  const at = typeof value === 'number' ? (value < 1e11 ? value * 1_000 : value) : Date.parse(asText(value))
  return Number.isFinite(at) ? at : undefined
}

// Messages with parts, of the AI SDK and of our own format.

const IGNORED_PARTS = new Set(['step-start', 'reasoning', 'thinking'])
const TEXT_PARTS = new Set(['text', 'input_text', 'output_text'])
const INSTRUCTIONS = new Set(['system', 'developer'])

const partsOf = (message: Row): readonly Row[] => {
  const content = message['parts'] ?? message['content'] ?? message['text']
  return typeof content === 'string' ? [{ type: 'text', text: content }] : asList(content).map(asRecord)
}

const nameOfTool = (part: Row): string | undefined => {
  const type = asText(part['type'])
  if (type === 'dynamic-tool' || type === 'tool-call' || type === 'tool_use')
    return asText(part['toolName']) || asText(part['name']) || 'tool'
  return /^tool-(?!result)/.test(type) ? type.slice('tool-'.length) : undefined
}

const assistantSaid = (parts: readonly Row[]): Said => {
  const messages: TurnMessage[] = []
  let calledTools = false
  for (const part of parts) {
    const tool = nameOfTool(part)
    if (TEXT_PARTS.has(asText(part['type']))) messages.push({ role: 'assistant', text: asText(part['text']) })
    else if (tool !== undefined) {
      calledTools = true
      messages.push({ role: 'assistant', text: '', toolNames: [tool] })
      if (part['output'] !== undefined) messages.push({ role: 'tool', text: cutText(toJson(part['output'])), toolNames: [tool] })
    } else if (!IGNORED_PARTS.has(asText(part['type']))) messages.push(...outside(toJson(part)))
  }
  return { messages, opens: false, calledTools }
}

const readMessage = (message: Row): Said => {
  const role = asText(message['role'])
  const parts = partsOf(message)
  const text = parts
    .filter(({ type }) => TEXT_PARTS.has(asText(type)))
    .map((part) => asText(part['text']))
    .join('\n')
  if (INSTRUCTIONS.has(role)) return { messages: [], opens: false, calledTools: false }
  // A named speaker is not this user, and what is beside the result of a tool was put there by a program.
  const isNamed = (message['name'] ?? undefined) !== undefined
  const isOfTool = parts.some(({ type }) => type === 'tool_result' || type === 'tool-result')
  const isUsers = role === 'user' && message['outside'] !== true && !isNamed && !isOfTool
  if (isUsers)
    return userSaid(
      text,
      parts.filter(({ type }) => !TEXT_PARTS.has(asText(type))).map((part) => toJson(part)),
    )
  if (role === 'assistant' && message['outside'] !== true) {
    const said = assistantSaid(parts)
    const calls = asList(message['tool_calls']).length > 0
    return calls ? { ...said, calledTools: true } : said
  }
  const shown = text === '' ? toJson(message['content'] ?? message['parts'] ?? '') : text
  return {
    messages: [{ role: 'tool', text: cutText(shown), toolNames: [asText(message['name']) || 'unknown'] }],
    opens: false,
    calledTools: false,
  }
}

export const messagesConversation = (messages: readonly unknown[], about: Row = {}): Conversation => ({
  turns: toTurns(messages.map((message) => readMessage(asRecord(message)))),
  at: timeOf(about['at'] ?? about['createdAt'] ?? about['created_at']),
  title: asText(about['title']) || asText(about['id']),
})

// The export of ChatGPT. What its model was shown is only partly in it, so the model's words count as from outside.

const fromElsewhere = (text: string): Said => ({
  messages: text.trim() === '' ? [] : [{ role: 'assistant', text: cutText(text), outside: true }],
  opens: false,
  calledTools: false,
})

const chatGptSaid = (message: Row): Said | undefined => {
  const role = asText(asRecord(message['author'])['role'])
  const content = asRecord(message['content'])
  const metadata = asRecord(message['metadata'])
  const parts = asList(content['parts'])
  const text = parts.filter((part) => typeof part === 'string').join('\n') || asText(content['text'])
  if (role === 'user') {
    const isTyped = ['text', 'multimodal_text'].includes(asText(content['content_type']))
    if (!isTyped || metadata['is_visually_hidden_from_conversation'] === true)
      return { messages: outside(text), opens: false, calledTools: false }
    const files = [...parts.filter((part) => typeof part !== 'string'), ...asList(metadata['attachments'])]
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

export const chatGptConversation = (exported: Row): Conversation => ({
  turns: toTurns(branchOf(asRecord(exported['mapping']), exported['current_node']).flatMap((message) => chatGptSaid(message) ?? [])),
  at: timeOf(exported['create_time']),
  title: asText(exported['title']),
})

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

export const claudeConversation = (exported: Row): Conversation => ({
  turns: toTurns(asList(exported['chat_messages']).map((message) => claudeSaid(asRecord(message)))),
  at: timeOf(exported['created_at']),
  title: asText(exported['name']),
})

/** A whole conversation in one JSON value; undefined if it is none, as a row of a transcript. */
export const readConversation = (value: unknown): Conversation | undefined => {
  const row = asRecord(value)
  if (typeof row['mapping'] === 'object' && row['mapping'] !== null) return chatGptConversation(row)
  if (Array.isArray(row['chat_messages'])) return claudeConversation(row)
  return Array.isArray(row['messages']) ? messagesConversation(row['messages'], row) : undefined
}

/** Collects rows that are one message each, of a conversation that is a whole file. */
export class MessageRows {
  readonly #open: Said[] = []
  readonly #tainting = new Tainting()

  /** The turn that is complete, now that another begins. */
  add(row: Row): readonly SourceTurn[] {
    const said = readMessage(row)
    const complete = said.opens ? this.end() : []
    this.#open.push(said)
    return complete
  }

  end(): readonly SourceTurn[] {
    const said = this.#open.splice(0)
    const opens = said.findIndex((each) => each.opens)
    const before = said.slice(0, opens < 0 ? said.length : opens).flatMap(({ messages }) => messages)
    const [turn] = toTurns(opens < 0 ? [] : said.slice(opens))
    if (turn) return [this.#tainting.mark({ messages: turn.messages, toolIterations: turn.toolIterations ?? 0 }, before)]
    this.#tainting.mark({ messages: before })
    return []
  }
}
