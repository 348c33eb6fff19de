/**
 * The transcript of Copilot CLI, one event a line. The user's words are the content of a message without a source; what it wraps around them, files that go along, context
 * of hooks, notifications and summaries are from outside. What sub-agents do carries their id and is no part of the conversation.
 */
import type { ModelUsage } from '@hermes/core'
import { asCount, asList, asRecord, asText, cutText, toJson } from '@hermes/core/adapter'
import { type AgentTurns, TurnCollector } from '../transcript/agent-turn.ts'

type Row = Readonly<Record<string, unknown>>

/** Events about the program, its settings and its screen: what the model is shown is in others. */
const ABOUT_THE_PROGRAM = new RegExp(
  `^(?:${[
    ...[
      'abort',
      'assistant\\.(?!message$)[a-z_]+',
      'hook\\.(?:start|progress)',
      'system\\.message',
      'prompt_cache_break',
      'sandbox\\.decision',
    ],
    ...[
      '(?:permission|mcp|model|command|commands|capabilities|ui|workflow|sampling|elicitation|auto_mode_switch|pending_messages)\\.\\w.*',
    ],
    ...['tool\\.(?:execution_start|execution_progress|execution_partial_result|shell_output)', 'tool_search\\.activated'],
    ...['subagent\\.\\w+', 'skill\\.(?:invoked_ref|context_delivered_ref)', 'exit_plan_mode\\.requested', 'user_input\\.requested'],
    `session\\.(?:${[
      ...['start', 'resume', 'shutdown', 'idle', 'info', 'warning', 'error', 'usage_info', 'usage_checkpoint', 'quota_observation'],
      ...['(?:title|model|mode|todos|plan|permissions|context|memory)_changed?', 'model_deselected', 'mode_notice_delivered', 'truncation'],
      ...['(?:skills|extensions|mcp_servers)_loaded', 'tools_updated', 'custom_agents_updated', 'mcp_server\\w+', 'canvas\\.\\w+'],
      ...['auto\\w+', 'schedule_\\w+', 'background_tasks_changed', 'workspace_file_changed', 'snapshot_rewind', 'compaction_start'],
      ...['managed_\\w+', 'session_limits_changed', 'remote_steerable_changed', 'binary_asset', 'completion_receipt', 'task_complete'],
    ].join('|')})`,
  ].join('|')})$`,
)

/** `hermes-memory` is our `memory`. */
const toolName = (name: string): string => name.replace(/^hermes-/, '')

const usageOf = (usage: Row): ModelUsage => ({
  inputTokens: asCount(usage['inputTokens']) ?? 0,
  cachedInputTokens: asCount(usage['cacheReadTokens']) ?? 0,
  outputTokens: asCount(usage['outputTokens']) ?? 0,
})

/** What Copilot CLI shows its model beside the words of the user. */
const addedTo = (content: string, shown: string): string =>
  shown
    .replace(/^<current_datetime>[^<]*<\/current_datetime>/, '')
    .replace(content.trim(), '')
    .trim()

class CopilotEvents {
  readonly #collector = new TurnCollector()
  readonly #tools = new Map<string, string>()
  readonly #isOurs: (context: string) => boolean

  constructor(isOurs: (context: string) => boolean) {
    this.#isOurs = isOurs
  }

  add(row: Row): void {
    if (row['agentId'] !== undefined) return
    const [type, data] = [asText(row['type']), asRecord(row['data'])]
    if (type === 'user.message') this.#user(data, Date.parse(asText(row['timestamp'])))
    else if (type === 'assistant.message') this.#assistant(data)
    else if (type === 'tool.execution_complete') this.#result(data)
    else if (type === 'session.usage_record') {
      const usage = asRecord(data['usage'])
      this.#collector.noteCall(asText(usage['apiCallId']), false, usageOf(usage))
    } else if (type === 'hook.end') this.#hook(asRecord(data['output']))
    else if (type !== '' && !ABOUT_THE_PROGRAM.test(type)) this.#collector.addOutside(cutText(toJson(data)))
  }

  collected(): AgentTurns {
    return this.#collector.collected()
  }

  #user(data: Row, at: number): void {
    const content = asText(data['content']).trim()
    if (data['source'] !== undefined || data['isAutopilotContinuation'] === true) {
      this.#collector.addOutside(cutText(asText(data['transformedContent']) || content))
      return
    }
    if (content !== '') this.#collector.opens(content, Number.isNaN(at) ? undefined : at)
    this.#collector.addOutside(cutText(addedTo(content, asText(data['transformedContent']))))
    if (asList(data['attachments']).length > 0) this.#collector.addOutside(cutText(toJson(data['attachments'])))
  }

  #assistant(data: Row): void {
    const calls = asList(data['toolRequests']).map(asRecord)
    const toolNames = calls.map(({ name }) => toolName(asText(name)))
    for (const [index, { toolCallId }] of calls.entries()) this.#tools.set(asText(toolCallId), toolNames[index] ?? '')
    const text = asText(data['content'])
    if (text !== '' || calls.length > 0) this.#collector.add({ role: 'assistant', text, ...(calls.length > 0 ? { toolNames } : {}) })
    this.#collector.noteCall(asText(data['apiCallId']), calls.length > 0, undefined)
  }

  #result({ toolCallId, success, result, error }: Row): void {
    const text = asText(asRecord(result)['content']) || asText(asRecord(error)['message'])
    const failed = success === false ? { failed: true } : {}
    const toolNames = [this.#tools.get(asText(toolCallId)) ?? 'unknown']
    this.#collector.add({ role: 'tool', text: cutText(text), toolNames, ...failed })
  }

  #hook(output: Row): void {
    const context = asText(output['additionalContext'])
    if (Object.keys(output).length > 0 && !this.#isOurs(context)) this.#collector.addOutside(cutText(context || toJson(output)))
  }
}

/** `isOurs`: whether context of a hook is the block that Hermes put there. */
export const copilotTurns = (rows: readonly unknown[], isOurs: (context: string) => boolean): AgentTurns => {
  const collector = new CopilotEvents(isOurs)
  for (const row of rows) collector.add(asRecord(row))
  return collector.collected()
}
