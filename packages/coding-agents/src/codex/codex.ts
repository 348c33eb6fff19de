/** Codex: its hooks, where its transcripts are, and itself as the model of a review. */
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { asRecord } from '@hermes/core/adapter'
import type { AgentHost } from '../agent-host.ts'
import { hookCall, SESSION_ID, showBlock } from '../hook-input.ts'
import { askCodex } from './ask-codex.ts'
import { codexFolder } from './codex-folder.ts'
import { codexTurns } from './transcript.ts'

const findTranscript = async (sessionId: string): Promise<string | undefined> => {
  if (!SESSION_ID.test(sessionId)) return undefined
  const sessions = join(codexFolder(), 'sessions')
  const names = await readdir(sessions, { recursive: true }).catch(() => [])
  const found = names.find((name) => name.endsWith(`-${sessionId}.jsonl`))
  return found === undefined ? undefined : join(sessions, found)
}

export const codex: AgentHost = {
  name: 'codex',
  title: 'Codex',
  hookCall,
  showBlock,
  maxBlockChars: 9_000,
  keepsBlock: true,
  turns: codexTurns,
  holdsCall: (rows, callId) => rows.some((row) => asRecord(asRecord(row)['payload'])['call_id'] === callId),
  // It tells an MCP server neither its session nor the call, so calls count as from outside.
  callId: () => undefined,
  findTranscript,
  recentSessions: async () => [],
  sessionOf: () => undefined,
  model: askCodex,
}
