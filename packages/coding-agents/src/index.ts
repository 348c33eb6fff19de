/** `@hermes/coding-agents`: what the `hermes` command does with coding agents. The plugins are in the folder `dist/plugins` of the package. */

// Transcripts
export { claudeReader } from './claude-code/transcript.ts'
export { codexReader } from './codex/transcript.ts'
// Connecting
export {
  type ConnectionState,
  connect,
  connectionState,
  type Disconnected,
  disconnect,
  HOST_SETUPS,
  type LastReview,
  lastReview,
} from './connect/connections.ts'
export type { FileChange, FolderCopy, HostSetup, Remembered, Setup } from './connect/host-setup.ts'
export type { AgentTurn, AgentTurns, TranscriptReader } from './transcript/agent-turn.ts'
