/**
 * The transcript of Gemini CLI, one JSON object a line. A message that grows is written again under its id. The user's is only the first part of a prompt; what follows in
 * it (files that were mentioned, context of hooks, the state of an editor) and what Gemini CLI sends in the user's name is from outside.
 */
import type { ModelUsage } from '@hermes/core'
import { asCount, asList, asRecord, asText, cutText, toJson } from '@hermes/core/adapter'
import { type AgentTurns, TurnCollector } from '../transcript/agent-turn.ts'

type Row = Readonly<Record<string, unknown>>

/** Rows for the screen: the model is not shown them. */
const FOR_THE_SCREEN: ReadonlySet<unknown> = new Set(['info', 'error', 'warning'])

const OF_THE_HOST =
  /^\s*(?:<(?:session_context|hook_context|state_snapshot|activated_skill)\b|System: |Please continue\.$|I ran the following shell command:|Here is (?:the user's editor context|a summary of changes in the user's editor context))/
/** About the machine and the folder. */
const ABOUT_THE_MACHINE = /^\s*<session_context>[\s\S]*<\/session_context>\s*$/
const HOOK_CONTEXT = /^<hook_context>([\s\S]*)<\/hook_context>$/

const partsOf = (content: unknown): readonly Row[] =>
  typeof content === 'string' ? [{ text: content }] : (Array.isArray(content) ? content : [content]).map((part) => asRecord(part))

const textOf = (parts: readonly Row[]): string =>
  parts.flatMap((part) => (part['thought'] ? [] : asText(part['text']) || `[${Object.keys(part)[0] ?? 'part'}]`)).join('\n')

/** `mcp_hermes_memory` is our `memory`. */
const toolName = (name: string): string => name.replace(/^(?:mcp_)?hermes_{1,2}/, '')

const usageOf = (tokens: Row): ModelUsage | undefined =>
  asCount(tokens['input']) === undefined
    ? undefined
    : {
        inputTokens: asCount(tokens['input']) ?? 0,
        cachedInputTokens: asCount(tokens['cached']) ?? 0,
        outputTokens: (asCount(tokens['output']) ?? 0) + (asCount(tokens['thoughts']) ?? 0),
      }

/** Hooks may not put a tag into the conversation, so Gemini CLI writes theirs like this. */
const asHookContext = (text: string): string => text.replaceAll('&lt;', '<').replaceAll('&gt;', '>')

class GeminiRows {
  readonly #collector = new TurnCollector()
  readonly #known = new Set<string>()
  readonly #isOurs: (context: string) => boolean

  constructor(isOurs: (context: string) => boolean) {
    this.#isOurs = isOurs
  }

  add(row: Row): void {
    const { type } = row
    if (type === 'user') this.#user(row)
    else if (type === 'gemini') this.#model(row)
    else if (type === undefined) this.#change(asRecord(row['$set']))
    else if (!FOR_THE_SCREEN.has(type)) this.#collector.addOutside(cutText(toJson(row)))
  }

  collected(): AgentTurns {
    return this.#collector.collected()
  }

  /** Whether this is the first row with this id. */
  #isNew(id: string): boolean {
    const isNew = id === '' || !this.#known.has(id)
    this.#known.add(id)
    return isNew
  }

  /** A list of the messages so far, as when a session goes on; only a summary in it was not there before. */
  #change({ messages }: Row): void {
    for (const message of asList(messages).map(asRecord)) {
      const text = textOf(partsOf(message['content']))
      if (message['type'] === 'user' && text.includes('<state_snapshot>') && this.#isNew(asText(message['id'])))
        this.#collector.addOutside(cutText(text))
    }
  }

  #user(row: Row): void {
    if (!this.#isNew(asText(row['id']))) return
    const parts = partsOf(row['content'])
    const results = parts.filter((part) => 'functionResponse' in part)
    for (const part of results) {
      const { name, response } = asRecord(part['functionResponse'])
      const failed = asRecord(response)['error'] === undefined ? {} : { failed: true }
      this.#collector.add({ role: 'tool', text: cutText(toJson(response)), toolNames: [toolName(asText(name)) || 'unknown'], ...failed })
    }
    const rest = parts.filter((part) => !results.includes(part))
    const prompt = results.length === 0 ? rest[0] : undefined
    if (prompt) this.#prompt(prompt, row)
    for (const part of prompt ? rest.slice(1) : rest) this.#added(textOf([part]))
  }

  #prompt(part: Row, row: Row): void {
    const text = asText(part['text'])
    // What the person typed, if the prompt is another text, as that of a command.
    const typed = row['displayContent'] === undefined ? text : textOf(partsOf(row['displayContent']))
    if (text === '' || typed !== text || OF_THE_HOST.test(text)) this.#added(textOf([part]))
    else {
      const at = Date.parse(asText(row['timestamp']))
      this.#collector.opens(text.trim(), Number.isNaN(at) ? undefined : at)
    }
  }

  #added(text: string): void {
    const [, context] = HOOK_CONTEXT.exec(text) ?? []
    if (context !== undefined && this.#isOurs(asHookContext(context))) return
    if (!ABOUT_THE_MACHINE.test(text)) this.#collector.addOutside(cutText(text))
  }

  #model(row: Row): void {
    const id = asText(row['id'])
    const text = this.#isNew(id) ? textOf(partsOf(row['content'])) : ''
    const calls = asList(row['toolCalls']).map(asRecord)
    const fresh = calls.filter((call) => this.#isNew(`call ${asText(call['id'])}`))
    const toolNames = fresh.map(({ name }) => toolName(asText(name)))
    if (text.trim() !== '' || toolNames.length > 0)
      this.#collector.add({ role: 'assistant', text, ...(toolNames.length > 0 ? { toolNames } : {}) })
    this.#collector.noteCall(id, calls.length > 0, usageOf(asRecord(row['tokens'])))
  }
}

/** `isOurs`: whether context of a hook is the block that Hermes put there. */
export const geminiTurns = (rows: readonly unknown[], isOurs: (context: string) => boolean): AgentTurns => {
  const collector = new GeminiRows(isOurs)
  for (const row of rows) collector.add(asRecord(row))
  return collector.collected()
}
