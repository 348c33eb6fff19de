/** pi: what its extension calls, and itself as the model of a review. */
import { type AgentHost, TOOLS_WITHOUT_SESSION } from '../agent-host.ts'
import { hookCall } from '../hook-input.ts'
import { piTurns } from './transcript.ts'

export const pi: AgentHost = {
  ...TOOLS_WITHOUT_SESSION,
  name: 'pi',
  title: 'pi',
  hookCall,
  showBlock: (block) => block,
  maxBlockChars: 9_000,
  keepsBlock: false,
  turns: piTurns,
  model: async (request) => (await import('./ask-pi.ts')).askPi(request),
}
