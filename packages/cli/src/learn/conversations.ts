/** Turns of exported conversations: whose words each message is. What the user typed is the user's; files, results of tools and quoted sources are from outside. Pure. */
import type { TurnMessage } from '@hermes/core'
import { asList, asRecord, asText, cutText, toJson } from '@hermes/core/adapter'
import { chatGptConversation, claudeConversation } from './exported-chats.ts'
import { type SourceTurn, Tainting } from './learn-source.ts'
import { type Conversation, outside, type Row, type Said, timeOf, toTurns, userSaid } from './said-turns.ts'

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

const timeOfRow = (row: Row): number | undefined =>
  timeOf(row['at'] ?? row['createdAt'] ?? row['created_at'] ?? asRecord(row['metadata'])['createdAt'])

const readMessage = (message: Row): Said => ({ ...wordsIn(message), at: timeOfRow(message) })

const wordsIn = (message: Row): Said => {
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

export const messagesConversation = (messages: readonly unknown[], about: Row = {}): Conversation => {
  const at = timeOfRow(about)
  const said = messages.map((message) => readMessage(asRecord(message)))
  return { turns: toTurns(said, at), at, title: asText(about['title']) || asText(about['id']) }
}

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
    if (turn) return [this.#tainting.mark(turn, before)]
    this.#tainting.mark({ messages: before })
    return []
  }
}
