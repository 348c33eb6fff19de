/** Claude Code as the model of a review: one headless call with the user's login, without tools, hooks, settings and servers, and nothing of it is stored. */
import type { HostModelAnswer, HostModelRequest } from '@hermes/core'
import { asRecord, asText, toModelUsage } from '@hermes/core/adapter'
import { agentsFolder } from '../home-folder.ts'
import { askProgram, jsonIn } from '../review/ask-program.ts'
import { REVIEWING } from '../review/reviewing.ts'

/** What tells a program that it runs inside a session of Claude Code. */
const OF_THE_SESSION =
  /^(?:CLAUDECODE|AI_AGENT|CLAUDE_PID|CLAUDE_ENV_FILE|CLAUDE_PROJECT_DIR|CLAUDE_PLUGIN_\w+|CLAUDE_CODE_(?:SESSION|CHILD|MESSAGING|ENTRYPOINT)\w*)$/

const environment = (): NodeJS.ProcessEnv => ({
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !OF_THE_SESSION.test(name))),
  [REVIEWING]: '1',
})

export const askClaude = async ({ system, messages, signal }: HostModelRequest): Promise<HostModelAnswer> => {
  const { printed, failure } = await askProgram({
    program: process.env['HERMES_CLAUDE'] ?? 'claude',
    args: [
      ...['-p', '--output-format', 'json', '--system-prompt', system, '--model', process.env['HERMES_REVIEW_MODEL'] ?? 'haiku'],
      ...['--tools', '', '--setting-sources', '', '--strict-mcp-config', '--no-session-persistence', '--disable-slash-commands'],
    ],
    prompt: messages.map(({ content }) => content).join('\n\n'),
    env: environment(),
    folder: agentsFolder(),
    signal,
  })
  const { result, is_error: isError, usage, modelUsage } = jsonIn(printed)
  // Such as that nobody is logged in, or that a limit is reached: these are words of Claude Code.
  if (isError === true) throw new Error(`Claude Code could not answer: ${asText(result).slice(0, 200) || 'it gave no reason.'}`)
  if (failure !== undefined) throw new Error(failure)
  // What it printed may repeat the conversation, so it is not told.
  if (typeof result !== 'string') throw new Error('Claude Code did not answer in the JSON that it was asked for. Is it up to date?')
  const counts = asRecord(usage)
  const sum = (...names: readonly string[]) => names.reduce((total, name) => total + (Number(counts[name]) || 0), 0)
  const used = toModelUsage({
    inputTokens: sum('input_tokens', 'cache_read_input_tokens', 'cache_creation_input_tokens'),
    cachedInputTokens: counts['cache_read_input_tokens'],
    outputTokens: counts['output_tokens'],
  })
  const [model] = Object.keys(asRecord(modelUsage))
  return { text: result, ...(used ? { usage: used } : {}), ...(model === undefined ? {} : { model }) }
}
