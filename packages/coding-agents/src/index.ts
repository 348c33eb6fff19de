/** `@hermes/coding-agents`: what the `hermes` command does with coding agents. The plugins are in the folder `dist/plugins` of the package. */

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
