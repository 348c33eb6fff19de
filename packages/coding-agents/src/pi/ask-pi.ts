/** pi as the model of a review: one headless call with the user's login, without tools, extensions, servers and instructions, and nothing of it is stored. */
import type { HostModelAnswer, HostModelRequest } from '@hermes/core'
import { asList, asRecord, asText, toModelUsage } from '@hermes/core/adapter'
import { agentsFolder } from '../home-folder.ts'
import { askProgram, jsonOfLines } from '../review/ask-program.ts'
import { REVIEWING } from '../review/reviewing.ts'

const SWITCHED_OFF = ['session', 'extensions', 'tools', 'skills', 'prompt-templates', 'context-files', 'mcp', 'approve'].map(
  (part) => `--no-${part}`,
)

export const askPi = async ({ system, messages, signal }: HostModelRequest): Promise<HostModelAnswer> => {
  const model = process.env['HERMES_PI_MODEL']
  const { printed, failure } = await askProgram({
    program: process.env['HERMES_PI'] ?? 'pi',
    args: ['--print', '--mode', 'json', ...SWITCHED_OFF, '--system-prompt', system, ...(model === undefined ? [] : ['--model', model])],
    prompt: messages.map(({ content }) => content).join('\n\n'),
    env: { ...process.env, [REVIEWING]: '1' },
    folder: agentsFolder(),
    signal,
  })
  const ends = jsonOfLines(printed).filter(({ type, message }) => type === 'message_end' && asRecord(message)['role'] === 'assistant')
  const answer = asRecord(ends.at(-1)?.['message'])
  const text = asList(answer['content'])
    .map((part) => asText(asRecord(part)['text']))
    .join('')
  const told = asText(answer['errorMessage'])
  if (text === '' && told !== '') throw new Error(`pi could not answer: ${told.slice(0, 200)}`)
  if (failure !== undefined) throw new Error(failure)
  // What it printed may repeat the conversation, so it is not told.
  if (text === '') throw new Error('pi did not answer in the JSON that it was asked for. Is it up to date?')
  const usage = asRecord(answer['usage'])
  const used = toModelUsage({ inputTokens: usage['input'], cachedInputTokens: usage['cacheRead'], outputTokens: usage['output'] })
  return { text, ...(used ? { usage: used } : {}), ...(asText(answer['model']) === '' ? {} : { model: asText(answer['model']) }) }
}
