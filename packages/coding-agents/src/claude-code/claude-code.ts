/** Claude Code: its hooks, where its transcripts are, and itself as the model of a review. */
import { readdir, stat } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { asList, asRecord, asText } from '@hermes/core/adapter'
import type { AgentHost } from '../agent-host.ts'
import { hookCall, SESSION_ID, showBlock } from '../hook-input.ts'
import { askClaude } from './ask-claude.ts'
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
  sessionOf: (env) => env['CLAUDE_CODE_SESSION_ID'],
  model: askClaude,
}
