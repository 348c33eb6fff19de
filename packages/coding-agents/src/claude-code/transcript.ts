/**
 * The transcript of Claude Code, one JSON object a line: whose words each row is. The user's are only those that a person, or the caller of `claude -p`, sent as a prompt;
 * what Claude Code itself puts into the conversation (output of commands, files, context of hooks, notifications, summaries) is text from outside, and so is every
 * result of a tool. Side chains are no part of the conversation.
 */
import type { ModelUsage } from '@hermes/core'
import { asCount, asList, asRecord, asText, cutText, toJson } from '@hermes/core/adapter'
import { type AgentTurns, type TranscriptReader, TurnCollector } from '../transcript/agent-turn.ts'

type Row = Readonly<Record<string, unknown>>

const PERSONS: ReadonlySet<unknown> = new Set([undefined, 'human', 'person'])
/** `suggestion_accepted` is the model's text. */
const TYPED: ReadonlySet<unknown> = new Set([undefined, 'typed', 'queued', 'sdk'])
const OPENED_BY: ReadonlySet<unknown> = new Set([undefined, 'human', 'sdk'])
const NOT_TYPED = [
  'isMeta',
  'isCompactSummary',
  'isVisibleInTranscriptOnly',
  'textNotTyped',
  'fromConnector',
  'handedOff',
  'promptRewritten',
  'wakeupSource',
]

/** Whether a person sent this row, or prompt that waited in the queue. */
const isTyped = (row: Row): boolean =>
  PERSONS.has(asRecord(row['origin'])['kind']) &&
  TYPED.has(row['promptSource']) &&
  OPENED_BY.has(row['turnOrigin']) &&
  row['rowSource'] !== 'harness' &&
  NOT_TYPED.every((flag) => row[flag] === undefined || row[flag] === false)

/** Attachments about Claude Code itself, the machine or the person's own settings: they hold nothing from outside. */
const ABOUT_THE_HOST: ReadonlySet<string> = new Set([
  ...[
    'agent_listing_delta',
    'atis',
    'command_permissions',
    'date',
    'deferred_tools_delta',
    'environment',
    'mcp_instructions_delta',
    'model',
  ],
  ...['output_style', 'plan_mode', 'plan_mode_exit', 'prompt_snapshot', 'remote_session_change', 'session_context', 'skill_listing'],
  ...['todo_reminder', 'task_reminder', 'total_tokens_reminder', 'token_usage', 'ultrathink_effort'],
])

/** Instructions of the person and of an administrator; those of a project came with the repository. */
const OWN_INSTRUCTIONS: ReadonlySet<unknown> = new Set(['User', 'Managed'])

const REMINDER = /<system-reminder>[\s\S]*?<\/system-reminder>/g
const COMMAND =
  /^\s*(?:<command-(?:name|message)>[^<]*<\/command-(?:name|message)>\s*){1,2}(?:<command-args>([\s\S]*)<\/command-args>)?\s*$/
/** Written by Claude Code in the name of the user. */
const HOST_TEXT = /^\s*(?:<(?:local-command|bash|task-notification|user-prompt-submit-hook)[a-z-]*>|\[Request interrupted by user)/

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
    if (row['type'] === 'user') this.#user(row)
    else if (row['type'] === 'assistant') this.#assistant(row)
    else if (row['type'] === 'attachment') this.#attachment(asRecord(row['attachment']), row)
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
      this.#collector.add({ role: 'tool', text: cutText(textOf(result['content'])), toolNames: [name] })
    }
    const rest = parts.filter(({ type }) => type !== 'tool_result')
    if (rest.length === 0) return
    if (results.length > 0 || !isTyped(row)) this.#collector.addOutside(cutText(textOf(rest)))
    else this.#prompt(rest, timeOf(row))
  }

  #prompt(parts: readonly Row[], at: number | undefined): void {
    const text = textOf(parts.filter(({ type }) => type === 'text'))
      .replace(REMINDER, '')
      .trim()
    const command = COMMAND.exec(text)
    // The text of a slash command follows in a row of its own; the words behind its name are the user's.
    const own = command ? (command[1] ?? '').trim() : text
    if (own !== '' && !HOST_TEXT.test(own)) this.#collector.opens(own, at)
    else if (!command) this.#collector.addOutside(cutText(text))
    const files = parts.filter(({ type }) => type !== 'text')
    if (files.length > 0) this.#collector.addOutside(textOf(files))
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
      this.#prompt(partsOf(attachment['prompt']), timeOf(row))
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
