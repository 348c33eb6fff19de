/** Gemini CLI: its hooks, and itself as the model of a review. */
import { type AgentHost, TOOLS_WITHOUT_SESSION } from '../agent-host.ts'
import { hookCallOf, showBlockAt } from '../hook-input.ts'
import { geminiTurns } from './transcript.ts'

export const geminiCli: AgentHost = {
  ...TOOLS_WITHOUT_SESSION,
  name: 'gemini-cli',
  title: 'Gemini CLI',
  // With the first prompt: of a prompt that begins with the context of a session's start, as a headless call makes it, nothing is left when the session goes on.
  hookCall: hookCallOf({ BeforeAgent: 'start', AfterAgent: 'stop', SessionEnd: 'end' }),
  showBlock: showBlockAt('BeforeAgent'),
  maxBlockChars: 9_000,
  keepsBlock: true,
  turns: geminiTurns,
  model: async (request) => (await import('./ask-gemini.ts')).askGemini(request),
}
