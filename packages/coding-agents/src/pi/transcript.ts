/**
 * The transcript of pi, one entry a line. The user's is a message of the user, without the files that stand before its text; what our extension has marked as not typed,
 * commands that were run, messages of extensions and summaries are from outside.
 */
import type { ModelUsage } from '@hermes/core'
import { asCount, asList, asRecord, asText, cutText, toJson } from '@hermes/core/adapter'
import { type AgentTurns, TurnCollector } from '../transcript/agent-turn.ts'

type Row = Readonly<Record<string, unknown>>

/** Entries about the session and the program: the model is not shown them. */
const ABOUT_THE_PROGRAM: ReadonlySet<unknown> = new Set([
  ...[undefined, 'session', 'model_change', 'thinking_level_change', 'custom', 'label', 'session_info', 'active_tools_change'],
])
const NOT_TYPED = 'hermes-not-typed'

const partsOf = (content: unknown): readonly Row[] =>
  typeof content === 'string' ? [{ type: 'text', text: content }] : asList(content).map(asRecord)

const textOf = (parts: readonly Row[]): string =>
  parts.map((part) => (part['type'] === 'text' ? asText(part['text']) : `[${asText(part['type'])}]`)).join('\n')

/** `mcp__hermes__memory` is our `memory`. */
const toolName = (name: unknown): string => asText(name).replace(/^mcp__hermes__/, '')

const usageOf = (usage: Row): ModelUsage => {
  const cached = asCount(usage['cacheRead']) ?? 0
  return {
    inputTokens: (asCount(usage['input']) ?? 0) + cached + (asCount(usage['cacheWrite']) ?? 0),
    cachedInputTokens: cached,
    outputTokens: asCount(usage['output']) ?? 0,
  }
}

const FILES_END = '</file>\n'

class PiEntries {
  readonly #collector = new TurnCollector()
  /** Whether the next message of the user is one that nobody typed. */
  #isNotTyped = false

  add(row: Row): void {
    const { type } = row
    if (type === 'custom' && row['customType'] === NOT_TYPED) this.#isNotTyped = true
    else if (type === 'message') this.#message(asRecord(row['message']), asText(row['id']))
    else if (!ABOUT_THE_PROGRAM.has(type)) this.#collector.addOutside(cutText(toJson(row)))
  }

  collected(): AgentTurns {
    return this.#collector.collected()
  }

  #message(message: Row, id: string): void {
    const { role } = message
    const parts = partsOf(message['content'])
    if (role === 'user') this.#user(parts, asCount(message['timestamp']))
    else if (role === 'assistant') this.#assistant(message, parts, id)
    else if (role === 'toolResult') {
      const failed = message['isError'] === true ? { failed: true } : {}
      this.#collector.add({ role: 'tool', text: cutText(textOf(parts)), toolNames: [toolName(message['toolName'])], ...failed })
    } else if (role !== 'system' && message['excludeFromContext'] !== true) this.#collector.addOutside(cutText(toJson(message)))
  }

  #user(parts: readonly Row[], at: number | undefined): void {
    const text = textOf(parts.filter(({ type }) => type === 'text'))
    // Files that go along stand before the prompt, and what was piped stands before them.
    const ownStart = text.includes('<file name=') ? text.lastIndexOf(FILES_END) + FILES_END.length : 0
    const own = this.#isNotTyped || (ownStart > 0 && !text.includes(FILES_END)) ? '' : text.slice(ownStart).trim()
    this.#isNotTyped = false
    if (own !== '') this.#collector.opens(own, at)
    this.#collector.addOutside(cutText(own === '' ? text : text.slice(0, ownStart)))
    const files = parts.filter(({ type }) => type !== 'text')
    if (files.length > 0) this.#collector.addOutside(textOf(files))
  }

  #assistant(message: Row, parts: readonly Row[], id: string): void {
    const toolNames = parts.filter(({ type }) => type === 'toolCall').map(({ name }) => toolName(name))
    const text = textOf(parts.filter(({ type }) => type === 'text'))
    if (text !== '' || toolNames.length > 0)
      this.#collector.add({ role: 'assistant', text, ...(toolNames.length > 0 ? { toolNames } : {}) })
    this.#collector.noteCall(id, toolNames.length > 0, usageOf(asRecord(message['usage'])))
  }
}

/** The block of Hermes is in the system prompt, which is no part of the transcript. */
export const piTurns = (rows: readonly unknown[]): AgentTurns => {
  const collector = new PiEntries()
  for (const row of rows) collector.add(asRecord(row))
  return collector.collected()
}
