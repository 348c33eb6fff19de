/** The entry of the example chat agent: the one file that knows the process it runs in. */
import { homedir } from 'node:os'
import type { World } from '@hermes/example-chat-parts/world'
import { runChat } from './run-chat.ts'

const on =
  (event: 'SIGINT' | 'exit') =>
  (listener: () => void): (() => void) => {
    process.on(event, listener)
    return () => void process.off(event, listener)
  }

const world: World = {
  env: process.env,
  cwd: process.cwd(),
  userHome: homedir(),
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
  onInterrupt: on('SIGINT'),
  onExit: on('exit'),
}

// `pnpm chat | head` closes the pipe early; that is no failure.
process.stdout.on('error', () => process.exit(0))
process.on('SIGTERM', () => process.exit(143))
// The SDK's own warnings would land in the middle of the screen.
Object.assign(globalThis, { AI_SDK_LOG_WARNINGS: false })

/** A provider's open connection must not keep the program alive, and nothing already written may be cut off. */
const leave = (code: number): void => {
  process.stdout.write('', () => process.exit(code))
}

void runChat(process.argv.slice(2), world).then(leave)
