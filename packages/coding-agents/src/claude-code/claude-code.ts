/** Claude Code: its hooks, where its transcripts are, and itself as the model of a review. */
import { readdir, stat } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { systemClock } from '@hermes/core'
import { asList, asRecord, asText } from '@hermes/core/adapter'
import type { AgentHost } from '../agent-host.ts'
import { hookCall, SESSION_ID, showBlock } from '../hook-input.ts'
import { claudeTurns } from './transcript.ts'

export const claudeFolder = (): string => process.env['CLAUDE_CONFIG_DIR'] ?? join(homedir(), '.claude')

const findTranscript = async (sessionId: string): Promise<string | undefined> => {
  if (!SESSION_ID.test(sessionId)) return undefined
  const projects = join(claudeFolder(), 'projects')
  const names = await readdir(projects).catch(() => [])
  for (const name of names) {
    const path = join(projects, name, `${sessionId}.jsonl`)
    if (await stat(path).catch(() => undefined)) return path
  }
  return undefined
}

/** Milliseconds since its last row, in which a conversation counts as going on. */
const RECENT_MS = 60_000

/** Of the same folder, which the transcript of an empty conversation does not tell: then it is named after this process's. */
const recentSessions = async (sessionId: string): Promise<readonly string[]> => {
  const known = await findTranscript(sessionId)
  const folder = known === undefined ? join(claudeFolder(), 'projects', process.cwd().replaceAll(/[^a-zA-Z0-9]/g, '-')) : dirname(known)
  const names = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith('.jsonl') && name !== `${sessionId}.jsonl`)
  const files = await Promise.all(
    names.map(async (name) => ({ name, at: (await stat(join(folder, name)).catch(() => undefined))?.mtimeMs ?? 0 })),
  )
  const since = systemClock() - RECENT_MS
  return files
    .filter(({ at }) => at >= since)
    .toSorted((one, other) => other.at - one.at)
    .map(({ name }) => name.slice(0, -'.jsonl'.length))
}

const holdsCall = (rows: readonly unknown[], callId: string): boolean =>
  rows.some((row) => asList(asRecord(asRecord(row)['message'])['content']).some((part) => asRecord(part)['id'] === callId))

export const claudeCode: AgentHost = {
  name: 'claude-code',
  title: 'Claude Code',
  hookCall,
  showBlock,
  // It shows at most about 9,800 characters of a hook's context, and a preview of 2,000 of a longer one.
  maxBlockChars: 9_000,
  keepsBlock: false,
  turns: claudeTurns,
  holdsCall,
  callId: (meta) => asText(meta['claudecode/toolUseId']) || undefined,
  findTranscript,
  recentSessions,
  sessionOf: (env) => env['CLAUDE_CODE_SESSION_ID'],
  model: async (request) => (await import('./ask-claude.ts')).askClaude(request),
}
