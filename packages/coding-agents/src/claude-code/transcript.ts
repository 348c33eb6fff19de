/**
 * The transcript of Claude Code, one JSON object a line: whose words each row is. The user's are only those that a person, or the caller of `claude -p`, sent as a prompt;
 * what Claude Code itself puts into the conversation (output of commands, files, context of hooks, notifications, summaries) is text from outside, and so is every
 * result of a tool. Side chains are no part of the conversation.
 */
import type { ModelUsage } from '@hermes/core'
import { asCount, asList, asRecord, asText, cutText, toJson } from '@hermes/core/adapter'
import { type AgentTurns, type TranscriptReader, TurnCollector } from '../transcript/agent-turn.ts'
import { isCaveat, isTyped, splitPrompt } from './own-text.ts'

type Row = Readonly<Record<string, unknown>>

/** Attachments about Claude Code itself, the machine or the person's own settings: they hold nothing from outside. */
const ABOUT_THE_HOST: ReadonlySet<string> = new Set([
  ...[
    'agent_listing_delta',
    'atis',
    'attention_budget',
    'auto_mode',
    'auto_mode_exit',
    'command_permissions',
    'context_efficiency',
    'date',
    'deferred_tools_delta',
    'environment',
    'mcp_instructions_delta',
    'model',
  ],
  ...[
    'output_style',
    'plan_mode',
    'plan_mode_exit',
    'plan_mode_reentry',
    'prompt_snapshot',
    'remote_session_change',
    'session_context',
    'skill_listing',
  ],
  ...['todo_reminder', 'task_reminder', 'tool_search_usage_reminder', 'total_tokens_reminder', 'token_usage', 'ultrathink_effort'],
])

/** Instructions of the person and of an administrator; those of a project came with the repository. */
const OWN_INSTRUCTIONS: ReadonlySet<unknown> = new Set(['User', 'Managed'])

const NO_OUTPUT = /^\s*<(local-command-std(?:out|err))>\s*<\/\1>\s*$/

const partsOf = (content: unknown): readonly Row[] =>
  typeof content === 'string' ? [{ type: 'text', text: content }] : asList(content).map(asRecord)

const textOf = (content: unknown): string =>
  partsOf(content)
    .map((part) => (part['type'] === 'text' ? asText(part['text']) : `[${asText(part['type']) || 'part'}]`))
    .join('\n')

/** `mcp__plugin_hermes_hermes__memory` is our `memory`. */
const toolName = (name: string): string => name.replace(/^mcp__(?:plugin_hermes_)?hermes__/, '')

export const usageOf = (usage: Row): ModelUsage | undefined => {
  const [input, output] = [asCount(usage['input_tokens']), asCount(usage['output_tokens'])]
  if (input === undefined && output === undefined) return undefined
  const cached = asCount(usage['cache_read_input_tokens']) ?? 0
  return {
    inputTokens: (input ?? 0) + cached + (asCount(usage['cache_creation_input_tokens']) ?? 0),
    cachedInputTokens: cached,
    outputTokens: output ?? 0,
  }
}

const timeOf = (row: Row): number | undefined => {
  const at = Date.parse(asText(row['timestamp']))
  return Number.isNaN(at) ? undefined : at
}

class ClaudeRows implements TranscriptReader {
  readonly #collector = new TurnCollector()
  readonly #tools = new Map<string, string>()
  readonly #isOurs: (context: string) => boolean

  constructor(isOurs: (context: string) => boolean) {
    this.#isOurs = isOurs
  }

  add(row: Row): void {
    if (row['isSidechain'] === true || row['isVirtual'] === true) return
    const { type } = row
    if (type === 'user') this.#user(row)
    else if (type === 'assistant') this.#assistant(row)
    else if (type === 'attachment') this.#attachment(asRecord(row['attachment']), row)
    else if (type === 'system') this.#system(row)
    // What is in the chain of the conversation has a parent. A later version may show its model what this one does not know.
    else if (row['parentUuid'] !== undefined && type !== 'progress') this.#collector.addOutside(cutText(toJson(row)))
  }

  collected(): AgentTurns {
    return this.#collector.collected()
  }

  takeComplete(): AgentTurns {
    return this.#collector.takeComplete()
  }

  #user(row: Row): void {
    const parts = partsOf(asRecord(row['message'])['content'])
    const results = parts.filter(({ type }) => type === 'tool_result')
    for (const result of results) {
      const name = this.#tools.get(asText(result['tool_use_id'])) ?? 'unknown'
      const failed = result['is_error'] === true ? { failed: true } : {}
      this.#collector.add({ role: 'tool', text: cutText(textOf(result['content'])), toolNames: [name], ...failed })
    }
    const rest = parts.filter(({ type }) => type !== 'tool_result')
    if (rest.length === 0 || isCaveat(textOf(rest), row)) return
    if (results.length > 0 || !isTyped(row)) this.#collector.addOutside(cutText(textOf(rest)))
    else this.#prompt(rest, row)
  }

  #prompt(parts: readonly Row[], row: Row): void {
    const texts = parts.filter(({ type }) => type === 'text').map(({ text }) => splitPrompt(asText(text), row))
    const own = texts.flatMap((text) => text.own || []).join('\n')
    if (own !== '') this.#collector.opens(own, timeOf(row))
    for (const { outside } of texts) this.#collector.addOutside(cutText(outside))
    const files = parts.filter(({ type }) => type !== 'text')
    if (files.length > 0) this.#collector.addOutside(textOf(files))
  }

  /** Output of slash commands is shown to the model; other rows of the system are about the program. */
  #system(row: Row): void {
    const content = asText(row['content'])
    if (row['subtype'] === 'local_command' && !NO_OUTPUT.test(content)) this.#collector.addOutside(cutText(content))
  }

  #assistant(row: Row): void {
    const message = asRecord(row['message'])
    // Claude Code's own words about a failed call.
    if (row['isApiErrorMessage'] === true || message['model'] === '<synthetic>') return
    const parts = partsOf(message['content'])
    const calls = parts.filter(({ type }) => type === 'tool_use')
    for (const call of calls) this.#tools.set(asText(call['id']), toolName(asText(call['name'])))
    const text = textOf(parts.filter(({ type }) => type === 'text'))
    const toolNames = calls.map(({ name }) => toolName(asText(name)))
    if (text !== '' || toolNames.length > 0)
      this.#collector.add({ role: 'assistant', text, ...(toolNames.length > 0 ? { toolNames } : {}) })
    // Tools that the provider runs.
    for (const part of parts.filter(({ type }) => /_tool_result$/.test(asText(type))))
      this.#collector.add({ role: 'tool', text: cutText(toJson(part['content'])), toolNames: [asText(part['type'])] })
    this.#collector.noteCall(asText(message['id']) || asText(row['uuid']), calls.length > 0, usageOf(asRecord(message['usage'])))
  }

  #attachment(attachment: Row, row: Row): void {
    const type = asText(attachment['type'])
    if (ABOUT_THE_HOST.has(type)) return
    if (type === 'queued_command' && isTyped(attachment)) {
      this.#prompt(partsOf(attachment['prompt']), row)
      return
    }
    const texts = type === 'instructions' ? this.#instructions(attachment) : this.#shown(attachment, row)
    for (const text of texts) if (!this.#isOurs(text)) this.#collector.addOutside(cutText(text))
  }

  #instructions(attachment: Row): readonly string[] {
    const files = asList(attachment['files']).map(asRecord)
    return files.filter(({ type }) => !OWN_INSTRUCTIONS.has(type)).map(({ content }) => asText(content))
  }

  /** What the model was shown of an attachment. */
  #shown(attachment: Row, row: Row): readonly string[] {
    const { type, content } = attachment
    if (type === 'hook_success') return [asText(content)]
    if (type === 'hook_additional_context') return asList(content).map(asText)
    const rendered = asList(row['rendered']).map((each) => textOf(asRecord(each)['content']))
    return rendered.length > 0 ? rendered : [toJson(attachment)]
  }
}

/** `isOurs`: whether context of a hook is the block that Hermes put there. */
export const claudeTurns = (rows: readonly unknown[], isOurs: (context: string) => boolean): AgentTurns => {
  const collector = new ClaudeRows(isOurs)
  for (const row of rows) collector.add(asRecord(row))
  return collector.collected()
}

/** For a transcript that is too long to be read at once; no context of it is the block of Hermes. */
export const claudeReader = (): TranscriptReader => new ClaudeRows(() => false)
