/** Codex: its hooks, and itself as the model of a review. */
import { type AgentHost, TOOLS_WITHOUT_SESSION } from '../agent-host.ts'
import { hookCall, showBlock } from '../hook-input.ts'
import { codexTurns } from './transcript.ts'

export const codex: AgentHost = {
  ...TOOLS_WITHOUT_SESSION,
  name: 'codex',
  title: 'Codex',
  hookCall,
  showBlock,
  maxBlockChars: 9_000,
  keepsBlock: true,
  turns: codexTurns,
  model: async (request) => (await import('./ask-codex.ts')).askCodex(request),
}
