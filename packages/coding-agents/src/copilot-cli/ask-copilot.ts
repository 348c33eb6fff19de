/** Copilot CLI as the model of a review: one headless call with the user's login, without tools, in a folder of its own that is removed with all that it keeps. */
import { mkdir, rm, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import type { HostModelAnswer, HostModelRequest } from '@hermes/core'
import { asRecord, asText } from '@hermes/core/adapter'
import { agentsFolder } from '../home-folder.ts'
import { askProgram, jsonOfLines } from '../review/ask-program.ts'
import { REVIEWING } from '../review/reviewing.ts'
import { copilotFolder } from './copilot-folder.ts'

const reviewFolder = (): string => join(agentsFolder(), 'copilot-cli')

/** Also what a review that was killed has left there. */
const removeFolder = (): Promise<void> => rm(reviewFolder(), { recursive: true, force: true, maxRetries: 3 })

/** In place of the user's: who is logged in, and neither hooks nor servers. What it holds may be a secret, so it is no copy. */
const makeFolder = async (): Promise<string> => {
  await removeFolder()
  await mkdir(reviewFolder(), { recursive: true, mode: 0o700 })
  await symlink(join(copilotFolder(), 'config.json'), join(reviewFolder(), 'config.json'))
  return reviewFolder()
}

export const askCopilot = async ({ system, messages, signal }: HostModelRequest): Promise<HostModelAnswer> => {
  const folder = await makeFolder()
  const model = process.env['HERMES_COPILOT_MODEL']
  try {
    const { printed, failure } = await askProgram({
      program: process.env['HERMES_COPILOT'] ?? 'copilot',
      args: [
        ...['--available-tools', 'none', '--disable-builtin-mcps', '--no-custom-instructions', '--no-ask-user', '--no-auto-update'],
        ...['--output-format', 'json', ...(model === undefined ? [] : ['--model', model])],
      ],
      prompt: [system, ...messages.map(({ content }) => content)].join('\n\n'),
      env: { ...process.env, [REVIEWING]: '1', COPILOT_HOME: folder },
      folder,
      signal,
    })
    const events = jsonOfLines(printed)
    const answer = asRecord(events.findLast(({ type }) => type === 'assistant.message')?.['data'])
    const text = asText(answer['content'])
    const told = asText(asRecord(events.findLast(({ type }) => type === 'session.error')?.['data'])['message'])
    if (text === '' && told !== '') throw new Error(`Copilot CLI could not answer: ${told.slice(0, 200)}`)
    if (failure !== undefined) throw new Error(failure)
    // What it printed may repeat the conversation, so it is not told.
    if (text === '') throw new Error('Copilot CLI did not answer in the JSON that it was asked for. Is it up to date?')
    return { text, ...(asText(answer['model']) === '' ? {} : { model: asText(answer['model']) }) }
  } finally {
    await removeFolder()
  }
}
