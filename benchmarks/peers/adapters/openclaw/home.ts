/** OpenClaw without its gateway: workspace, state and config of one agent in a folder. Its process has one home at a time. */
import { mkdirSync, writeFileSync } from 'node:fs'

export const WORKSPACE = 'workspace'
export const MEMORY = 'MEMORY.md'
export const HEADING = '# Memory\n'
/** The conversation with the owner: the only one whose prompt has MEMORY.md. */
export const SESSION = { agentId: 'main', sessionKey: 'agent:main:main', senderIsOwner: true }

const FREE = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 }
const MODEL = {
  id: 'main',
  name: 'main',
  reasoning: false,
  input: ['text' as const],
  cost: FREE,
  contextWindow: 1_000_000,
  maxTokens: 1_000,
}

export const openHome = (folder: string, url: string) => {
  const workspaceDir = `${folder}/${WORKSPACE}`
  const config = {
    models: {
      mode: 'replace' as const,
      providers: { scripted: { baseUrl: `${url}/v1`, apiKey: 'none', api: 'openai-completions' as const, models: [MODEL] } },
    },
    agents: { defaults: { workspace: workspaceDir, model: { primary: 'scripted/main' } } },
  }
  mkdirSync(workspaceDir, { recursive: true })
  mkdirSync(`${folder}/state`, { recursive: true })
  writeFileSync(`${folder}/openclaw.json`, JSON.stringify(config))
  process.env['OPENCLAW_CONFIG_PATH'] = `${folder}/openclaw.json`
  process.env['OPENCLAW_STATE_DIR'] = `${folder}/state`
  return { config, workspaceDir }
}

/** A fact is inserted below the heading of MEMORY.md. */
export const insertion = (fact: string) => ({ path: MEMORY, edits: [{ oldText: HEADING, newText: `${HEADING}- ${fact}\n` }] })
