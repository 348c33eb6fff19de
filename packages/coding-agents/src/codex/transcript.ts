/**
 * The transcript of Codex ("rollout"), one JSON object a line. It says of each part of a message where it comes from: the user's are those that it calls the user's,
 * and everything else that it shows its model is its own or from outside.
 */
import type { ModelUsage } from '@hermes/core'
import { asCount, asList, asRecord, asText, cutText, toJson } from '@hermes/core/adapter'
import { type AgentTurns, type TranscriptReader, TurnCollector } from '../transcript/agent-turn.ts'

type Row = Readonly<Record<string, unknown>>

/** Rows about the program, its settings and its events: what the model is shown is in rows of other types. */
const ABOUT_THE_PROGRAM: ReadonlySet<unknown> = new Set([
  ...[undefined, 'dynamic_tools_updated', 'event_msg', 'inter_agent_communication_metadata', 'security_risk_score'],
  ...['session_meta', 'turn_context', 'world_state'],
])

const CALL = /_call$/
const RESULT = /_output$/
/** About the machine, the settings and the tools of Codex. Others of its own texts hold something from outside, such as the output of a command of the user. */
const ABOUT_HOST = /^(?:environments|permissions|host_skills|plugins|multi_agent|collaboration_mode|realtime_conversation|model)\./
const isAboutHost = ({ type, hook }: Row, kind: string): boolean =>
  type === 'skills' || (type === 'harness' && hook === false && ABOUT_HOST.test(kind))

const textOf = (content: unknown): string =>
  typeof content === 'string'
    ? content
    : asList(content)
        .map(asRecord)
        .map((part) => asText(part['text']) || `[${asText(part['type']) || 'part'}]`)
        .join('\n')

const usageOf = (usage: Row): ModelUsage => ({
  inputTokens: asCount(usage['input_tokens']) ?? 0,
  cachedInputTokens: asCount(usage['cached_input_tokens']) ?? 0,
  outputTokens: asCount(usage['output_tokens']) ?? 0,
})

class CodexRows implements TranscriptReader {
  readonly #collector = new TurnCollector()
  readonly #tools = new Map<string, string>()
  readonly #isOurs: (context: string) => boolean

  constructor(isOurs: (context: string) => boolean) {
    this.#isOurs = isOurs
  }

  add(row: Row): void {
    const payload = asRecord(row['payload'])
    if (row['type'] === 'response_item') this.#item(payload, Date.parse(asText(row['timestamp'])))
    else if (row['type'] === 'token_usage_record')
      this.#collector.noteCall(asText(payload['response_id']), false, usageOf(asRecord(payload['usage'])))
    // A summary, which takes the place of what was before, a message of another agent, or a row of a later version.
    else if (!ABOUT_THE_PROGRAM.has(row['type'])) this.#collector.addOutside(cutText(toJson(payload)))
  }

  collected(): AgentTurns {
    return this.#collector.collected()
  }

  takeComplete(): AgentTurns {
    return this.#collector.takeComplete()
  }

  #item(item: Row, at: number): void {
    const type = asText(item['type'])
    if (type === 'message') this.#message(item, Number.isNaN(at) ? undefined : at)
    else if (RESULT.test(type)) {
      const name = this.#tools.get(asText(item['call_id'])) ?? 'unknown'
      const { output } = item
      this.#collector.add({ role: 'tool', text: cutText(typeof output === 'string' ? output : toJson(output)), toolNames: [name] })
    } else if (CALL.test(type)) this.#call(item, type)
    else if (type !== 'reasoning') this.#collector.addOutside(cutText(toJson(item)))
  }

  #call(item: Row, type: string): void {
    const name = (asText(item['name']) || type.replace(CALL, '')).replace(/^(?:mcp__)?hermes(?:__|\.)/, '')
    this.#tools.set(asText(item['call_id']), name)
    this.#collector.add({ role: 'assistant', text: '', toolNames: [name] })
    this.#collector.noteCall(asText(item['id']), true, undefined)
    // What the provider runs has no result of its own: its call tells what was found.
    if (asText(item['call_id']) === '') this.#collector.add({ role: 'tool', text: cutText(toJson(item)), toolNames: [name] })
  }

  /** `codex exec` puts what it was piped behind the prompt, in a tag. */
  #opens(text: string, at: number | undefined): void {
    const piped = text.indexOf('<stdin>')
    const own = (piped < 0 ? text : text.slice(0, piped)).trim()
    if (own !== '') this.#collector.opens(own, at)
    if (piped >= 0) this.#collector.addOutside(cutText(text.slice(piped)))
  }

  #message(item: Row, at: number | undefined): void {
    const parts = asList(item['content']).map(asRecord)
    if (item['role'] === 'assistant') {
      this.#collector.add({ role: 'assistant', text: textOf(parts) })
      return
    }
    const told = asRecord(item['internal_chat_message_metadata_passthrough'])
    const [origins, kinds] = [asList(told['content_item_metadata']).map(asRecord), asList(told['content_item_kinds'])]
    for (const [index, part] of parts.entries()) {
      const text = textOf([part])
      const origin = asRecord(origins[index]?.['provenance'])
      const isUsers = item['role'] === 'user' && origin['type'] === 'user' && asText(part['text']) !== ''
      if (isUsers) this.#opens(text, at)
      else if (!isAboutHost(origin, asText(kinds[index])) && !this.#isOurs(text)) this.#collector.addOutside(cutText(text))
    }
  }
}

/** `isOurs`: whether context of a hook is the block that Hermes put there. */
export const codexTurns = (rows: readonly unknown[], isOurs: (context: string) => boolean): AgentTurns => {
  const collector = new CodexRows(isOurs)
  for (const row of rows) collector.add(asRecord(row))
  return collector.collected()
}

/** For a transcript that is too long to be read at once; no context of it is the block of Hermes. */
export const codexReader = (): TranscriptReader => new CodexRows(() => false)
