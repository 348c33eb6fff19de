/** `@hermes/coding-agents`: what the `hermes` command does with coding agents. The plugins are in the folder `dist/plugins` of the package. */

// Transcripts
export { claudeReader } from './claude-code/transcript.ts'
export { codexReader } from './codex/transcript.ts'
// Connecting
export {
  type ConnectionState,
  type ConnectPlan,
  connect,
  connectionState,
  type Disconnected,
  disconnect,
  type FileChange,
  HOST_SETUPS,
  type PlannedFolder,
  planConnection,
} from './connect/connections.ts'
export type { ConfigFile, FolderCopy, HostSetup, Remembered } from './connect/host-setup.ts'
export { type ImportedRemembered, importRemembered } from './connect/import-remembered.ts'
export { type LastReview, lastReview } from './connect/last-review.ts'
export type { AgentTurn, AgentTurns, TranscriptReader } from './transcript/agent-turn.ts'
