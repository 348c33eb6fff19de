/** The other coding agents, as the tests run them: each with a model at 127.0.0.1, and a person who allows all tools. */
import { readdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { asRecord } from '@hermes/core/adapter'
import { copilotProgram, geminiProgram, opencodeModules, opencodeProgram, piProgram } from './host-programs.ts'

export interface OtherHost {
  /** As in `hermes connect`. */
  readonly name: string
  readonly program: () => Promise<string>
  /** As it is called, without `.exe`. */
  readonly command: string
  /** Settings of the person, by their path below the person's folder. */
  readonly settings: (endpoint: string) => Readonly<Record<string, unknown>>
  readonly env: (endpoint: string, folder: string) => NodeJS.ProcessEnv
  /** What the program would download, or a person has to set up. */
  readonly prepare?: (folder: string, endpoint: string) => Promise<void>
  /** The arguments of a turn. `session`: one that goes on. */
  readonly turn: (text: string, session: string | undefined) => readonly string[]
  /** The session that was begun, from what the program has kept. */
  readonly session: (folder: string) => Promise<string>
  readonly tools: { readonly read: string; readonly argument: string; readonly memory: string }
}

/** The only file with this ending below a folder. */
const fileIn = async (folder: string, ending: string): Promise<string> => {
  const [found] = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith(ending))
  if (found === undefined) throw new Error(`There is no '${ending}' in ${folder}.`)
  return join(folder, found)
}

const gemini: OtherHost = {
  name: 'gemini-cli',
  program: geminiProgram,
  command: 'gemini',
  settings: () => ({
    '.gemini/settings.json': {
      security: { auth: { selectedType: 'gemini-api-key' } },
      model: { name: 'gemini-2.5-flash' },
      general: { enableAutoUpdate: false },
      privacy: { usageStatisticsEnabled: false },
    },
  }),
  env: (endpoint) => ({ GEMINI_API_KEY: 'none', GOOGLE_GEMINI_BASE_URL: endpoint, GEMINI_CLI_TRUST_WORKSPACE: 'true' }),
  turn: (text, session) => [...(session === undefined ? [] : ['--resume', session]), '-p', text],
  async session(folder) {
    const file = await fileIn(join(folder, '.gemini/tmp'), '.jsonl')
    return String(asRecord(JSON.parse((await readFile(file, 'utf8')).split('\n')[0] ?? ''))['sessionId'])
  },
  tools: { read: 'read_file', argument: 'file_path', memory: 'mcp_hermes_memory' },
}

const opencode: OtherHost = {
  name: 'opencode',
  program: opencodeProgram,
  command: 'opencode',
  settings: (endpoint) => ({
    '.config/opencode/opencode.json': {
      // It adds this one itself, if it is missing.
      $schema: 'https://opencode.ai/config.json',
      model: 'scripted/scripted-1',
      small_model: 'scripted/scripted-1',
      autoupdate: false,
      permission: { '*': 'allow' },
      provider: {
        scripted: {
          npm: '@ai-sdk/anthropic',
          options: { baseURL: `${endpoint}/v1`, apiKey: 'none' },
          models: { 'scripted-1': { name: 'Scripted', limit: { context: 200_000, output: 8_000 } } },
        },
      },
    },
  }),
  env: () => ({ OPENCODE_DISABLE_AUTOUPDATE: '1', OPENCODE_DISABLE_MODELS_FETCH: '1' }),
  async prepare(folder) {
    const modules = await opencodeModules()
    for (const name of ['package.json', 'package-lock.json', 'node_modules'])
      await symlink(join(modules, '..', name), join(folder, '.config/opencode', name))
  },
  turn: (text, session) => ['run', ...(session === undefined ? ['--title', 'A test'] : ['--session', session]), text],
  async session(folder) {
    const names = await readdir(join(folder, '.hermes/.hermes/agents'))
    return String(names.map((name) => /ses_[A-Za-z0-9]+/.exec(name)?.[0]).find((found) => found !== undefined))
  },
  tools: { read: 'read', argument: 'filePath', memory: 'hermes_memory' },
}

const pi: OtherHost = {
  name: 'pi',
  program: piProgram,
  command: 'pi',
  settings: (endpoint) => ({
    '.pi/agent/models.json': {
      providers: { scripted: { baseUrl: endpoint, api: 'anthropic-messages', apiKey: 'none', models: [{ id: 'scripted-1' }] } },
    },
  }),
  env: () => ({ PI_OFFLINE: '1', HERMES_PI_MODEL: 'scripted/scripted-1' }),
  turn: (text, session) => ['--model', 'scripted/scripted-1', ...(session === undefined ? [] : ['--session', session]), '-p', text],
  session: (folder) => fileIn(join(folder, '.pi/agent/sessions'), '.jsonl'),
  tools: { read: 'read', argument: 'path', memory: 'mcp__hermes__memory' },
}

const copilotModel = (endpoint: string) => ({
  COPILOT_OFFLINE: 'true',
  COPILOT_PROVIDER_BASE_URL: endpoint,
  COPILOT_PROVIDER_TYPE: 'anthropic',
  COPILOT_PROVIDER_API_KEY: 'none',
  COPILOT_MODEL: 'claude-sonnet-4',
  COPILOT_AUTO_UPDATE: 'false',
})

const copilot: OtherHost = {
  name: 'copilot-cli',
  program: copilotProgram,
  command: 'copilot',
  settings: () => ({ '.copilot/mcp-config.json': { mcpServers: {} } }),
  env: (endpoint, folder) => ({ ...copilotModel(endpoint), HERMES_COPILOT: join(folder, 'review-copilot') }),
  // It tells its hooks nothing of a provider that is not GitHub.
  async prepare(folder, endpoint) {
    const set = Object.entries(copilotModel(endpoint)).map(([name, value]) => `${name}='${value}'`)
    await writeFile(join(folder, 'review-copilot'), `#!/bin/sh\nexec env ${set.join(' ')} copilot "$@"\n`, { mode: 0o755 })
  },
  turn: (text, session) => [...(session === undefined ? [] : [`--resume=${session}`]), '-p', text, '--allow-all-tools'],
  session: async (folder) => (await readdir(join(folder, '.copilot/session-state'))).find((name) => /^[\da-f-]{36}$/.test(name)) ?? '',
  tools: { read: 'view', argument: 'path', memory: 'hermes-memory' },
}

export const OTHER_HOSTS: readonly OtherHost[] = [gemini, opencode, pi, copilot]
