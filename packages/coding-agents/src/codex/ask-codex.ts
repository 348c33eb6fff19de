/** Codex as the model of a review: one headless call with the user's login, without tools, hooks and plugins, and nothing of it is stored. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { HostModelAnswer, HostModelRequest } from '@hermes/core'
import { asRecord, asText, toModelUsage } from '@hermes/core/adapter'
import { agentsFolder } from '../home-folder.ts'
import { askProgram, jsonOfLines } from '../review/ask-program.ts'
import { REVIEWING } from '../review/reviewing.ts'
import { codexFolder } from './codex-folder.ts'

/** Whatever gives the model something to do. A version that does not know one of them ignores it. */
const SWITCHED_OFF = [
  ...['apps', 'browser_use', 'code_mode_host', 'computer_use', 'goals', 'hooks', 'image_generation', 'memories', 'multi_agent'],
  ...['plugins', 'shell_tool', 'skill_search', 'sleep_tool', 'tool_suggest', 'unified_exec', 'view_image'],
].flatMap((feature) => ['-c', `features.${feature}=false`])

/** Servers of the user, which would give the model tools too. */
const withoutServers = async (): Promise<readonly string[]> => {
  const config = await readFile(join(codexFolder(), 'config.toml'), 'utf8').catch(() => '')
  const names = [...config.matchAll(/^\s*\[mcp_servers\.([\w-]+|"[^"]+")/gm)].map(([, name]) => name)
  return [...new Set(names)].flatMap((name) => ['-c', `mcp_servers.${name}.enabled=false`])
}

export const askCodex = async ({ system, messages, signal }: HostModelRequest): Promise<HostModelAnswer> => {
  const model = process.env['HERMES_CODEX_MODEL']
  const { printed, failure } = await askProgram({
    program: process.env['HERMES_CODEX'] ?? 'codex',
    args: [
      ...['exec', '--ephemeral', '--ignore-rules', '--skip-git-repo-check', '--sandbox', 'read-only', '--json', ...SWITCHED_OFF],
      ...['-c', 'web_search="disabled"', '-c', 'project_doc_max_bytes=0', ...(await withoutServers())],
      ...(model === undefined ? [] : ['--model', model]),
      '-',
    ],
    prompt: [system, ...messages.map(({ content }) => content)].join('\n\n'),
    env: { ...process.env, [REVIEWING]: '1' },
    folder: agentsFolder(),
    signal,
  })
  const events = jsonOfLines(printed)
  const answers = events.map(({ item }) => asRecord(item)).filter(({ type }) => type === 'agent_message')
  const text = asText(answers.at(-1)?.['text'])
  const failed = asRecord(events.findLast(({ type }) => type === 'turn.failed')?.['error'])
  const told = asText(failed['message']) || asText(events.findLast(({ type }) => type === 'error')?.['message'])
  if (text === '' && told !== '') throw new Error(`Codex could not answer: ${told.slice(0, 200)}`)
  if (failure !== undefined) throw new Error(failure)
  // What it printed may repeat the conversation, so it is not told.
  if (text === '') throw new Error('Codex did not answer in the JSON that it was asked for. Is it up to date?')
  const usage = asRecord(events.findLast(({ type }) => type === 'turn.completed')?.['usage'])
  const used = toModelUsage({
    inputTokens: usage['input_tokens'],
    cachedInputTokens: usage['cached_input_tokens'],
    outputTokens: usage['output_tokens'],
  })
  return { text, ...(used ? { usage: used } : {}) }
}
