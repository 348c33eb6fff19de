/** Copilot CLI: its hooks, and itself as the model of a review. */
import { type AgentHost, TOOLS_WITHOUT_SESSION } from '../agent-host.ts'
import { hookCall } from '../hook-input.ts'
import { copilotTurns } from './transcript.ts'

export const copilotCli: AgentHost = {
  ...TOOLS_WITHOUT_SESSION,
  name: 'copilot-cli',
  title: 'Copilot CLI',
  hookCall,
  showBlock: (block) => `${JSON.stringify({ additionalContext: block })}\n`,
  maxBlockChars: 9_000,
  // What a session that goes on prints takes the place of what it printed first.
  keepsBlock: false,
  turns: copilotTurns,
  model: async (request) => (await import('./ask-copilot.ts')).askCopilot(request),
}
