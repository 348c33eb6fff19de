/** Gemini CLI as the model of a review: one headless call with the user's login, without tools, hooks, extensions and servers. What it keeps of the call is removed. */
import { mkdir, readdir, readFile, realpath, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { HostModelAnswer, HostModelRequest } from '@hermes/core'
import { asRecord, asText, toModelUsage } from '@hermes/core/adapter'
import { agentsFolder } from '../home-folder.ts'
import { askProgram, jsonIn, type ProgramAnswer, type ProgramCall } from '../review/ask-program.ts'
import { REVIEWING } from '../review/reviewing.ts'
import { geminiFolder } from './gemini-folder.ts'

/** Of the folder in which it runs: they outrank those of the user. A list of tools that is empty would mean all. */
const SETTINGS = {
  tools: { core: ['none'] },
  hooksConfig: { enabled: false },
  skills: { enabled: false },
  context: { fileName: 'none.md' },
  general: { enableAutoUpdate: false },
}
/** In place of its own instructions, which are about tools and take more tokens than a review. */
const INSTRUCTIONS = 'Answer the request. You have no tools.\n'

const prepareFolder = async (): Promise<string> => {
  const folder = join(agentsFolder(), 'gemini-cli')
  await mkdir(join(folder, '.gemini'), { recursive: true, mode: 0o700 })
  await writeFile(join(folder, '.gemini', 'settings.json'), JSON.stringify(SETTINGS), { mode: 0o600 })
  await writeFile(join(folder, 'system.md'), INSTRUCTIONS, { mode: 0o600 })
  // As Gemini CLI names it.
  return realpath(folder)
}

/** The conversations of reviews, also of one that was killed. Gemini CLI names the folder of each beside it. */
const removeConversations = async (reviewFolder: string): Promise<void> => {
  const all = join(geminiFolder(), 'tmp')
  for (const name of await readdir(all).catch(() => [])) {
    const root = await readFile(join(all, name, '.project_root'), 'utf8').catch(() => '')
    if (root.trim() === reviewFolder) await rm(join(all, name, 'chats'), { recursive: true, force: true, maxRetries: 3 })
  }
}

const askAndForget = async (call: ProgramCall): Promise<ProgramAnswer> => {
  try {
    return await askProgram(call)
  } finally {
    await removeConversations(call.folder)
  }
}

export const askGemini = async ({ system, messages, signal }: HostModelRequest): Promise<HostModelAnswer> => {
  const folder = await prepareFolder()
  const { printed, failure } = await askAndForget({
    program: process.env['HERMES_GEMINI'] ?? 'gemini',
    args: [
      ...['--output-format', 'json', '--model', process.env['HERMES_GEMINI_MODEL'] ?? 'flash'],
      ...['--extensions', 'none', '--allowed-mcp-server-names', 'none'],
    ],
    prompt: [system, ...messages.map(({ content }) => content)].join('\n\n'),
    env: { ...process.env, [REVIEWING]: '1', GEMINI_CLI_TRUST_WORKSPACE: 'true', GEMINI_SYSTEM_MD: join(folder, 'system.md') },
    folder,
    signal,
  })
  const { response, stats, error } = jsonIn(printed)
  const told = asText(asRecord(error)['message'])
  if (told !== '') throw new Error(`Gemini CLI could not answer: ${told.slice(0, 200)}`)
  if (failure !== undefined) throw new Error(failure)
  // What it printed may repeat the conversation, so it is not told.
  if (typeof response !== 'string') throw new Error('Gemini CLI did not answer in the JSON that it was asked for. Is it up to date?')
  const [[model, about] = []] = Object.entries(asRecord(asRecord(stats)['models']))
  const tokens = asRecord(asRecord(about)['tokens'])
  const used = toModelUsage({ inputTokens: tokens['prompt'], cachedInputTokens: tokens['cached'], outputTokens: tokens['candidates'] })
  return { text: response, ...(used ? { usage: used } : {}), ...(model === undefined ? {} : { model }) }
}
