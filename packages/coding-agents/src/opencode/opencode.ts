/** opencode: what its plugin calls, and itself as the model of a review. */
import { type AgentHost, TOOLS_WITHOUT_SESSION } from '../agent-host.ts'
import { hookCall } from '../hook-input.ts'
import { opencodeTurns } from './messages.ts'

export const opencode: AgentHost = {
  ...TOOLS_WITHOUT_SESSION,
  name: 'opencode',
  title: 'opencode',
  hookCall,
  showBlock: (block) => block,
  maxBlockChars: 9_000,
  keepsBlock: false,
  turns: opencodeTurns,
  model: async (request) => (await import('./ask-opencode.ts')).askOpencode(request),
}
