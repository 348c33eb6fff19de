/** opencode as the model of a review: one headless call with the user's login, by an agent without tools, without plugins, with a database in memory that ends with it. */
import type { HostModelAnswer, HostModelRequest } from '@hermes/core'
import { asRecord, asText, toModelUsage } from '@hermes/core/adapter'
import { agentsFolder } from '../home-folder.ts'
import { askProgram, jsonOfLines } from '../review/ask-program.ts'
import { REVIEWING } from '../review/reviewing.ts'

const AGENT = { mode: 'primary', prompt: 'Answer the request. You have no tools.', tools: { '*': false }, permission: { '*': 'deny' } }

export const askOpencode = async ({ system, messages, signal }: HostModelRequest): Promise<HostModelAnswer> => {
  const model = process.env['HERMES_OPENCODE_MODEL']
  const { printed, failure } = await askProgram({
    program: process.env['HERMES_OPENCODE'] ?? 'opencode',
    args: [
      ...['run', '--pure', '--format', 'json', '--agent', 'hermes', '--title', 'review'],
      ...(model === undefined ? [] : ['--model', model]),
    ],
    prompt: [system, ...messages.map(({ content }) => content)].join('\n\n'),
    env: {
      ...process.env,
      [REVIEWING]: '1',
      OPENCODE_DB: ':memory:',
      OPENCODE_DISABLE_PROJECT_CONFIG: '1',
      OPENCODE_CONFIG_CONTENT: JSON.stringify({ share: 'disabled', agent: { hermes: AGENT } }),
    },
    folder: agentsFolder(),
    signal,
  })
  const events = jsonOfLines(printed)
  const partsOf = (type: string) => events.filter((event) => event['type'] === type).map(({ part }) => asRecord(part))
  const text = partsOf('text')
    .map((part) => asText(part['text']))
    .join('\n')
  const error = asRecord(events.findLast(({ type }) => type === 'error')?.['error'])
  const told = asText(asRecord(error['data'])['message']) || asText(error['name'])
  if (text === '' && told !== '') throw new Error(`opencode could not answer: ${told.slice(0, 200)}`)
  if (failure !== undefined) throw new Error(failure)
  // What it printed may repeat the conversation, so it is not told.
  if (text === '') throw new Error('opencode did not answer in the JSON that it was asked for. Is it up to date?')
  const tokens = asRecord(partsOf('step_finish').at(-1)?.['tokens'])
  const used = toModelUsage({
    inputTokens: tokens['input'],
    cachedInputTokens: asRecord(tokens['cache'])['read'],
    outputTokens: tokens['output'],
  })
  return { text, ...(used ? { usage: used } : {}) }
}
