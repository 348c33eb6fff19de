/** The entry of the example chat agent: the one file that runs in a process. */
import { processWorld } from '@hermes/example-chat-parts/process-world'
import { runChat } from './run-chat.ts'

// `pnpm chat | head` closes the pipe early; that is no failure.
process.stdout.on('error', () => process.exit(0))
process.on('SIGTERM', () => process.exit(143))
// The SDK's own warnings would land in the middle of the screen.
Object.assign(globalThis, { AI_SDK_LOG_WARNINGS: false })

// A provider's open connection must not keep the program alive, and nothing already written may be cut off.
void runChat(process.argv.slice(2), processWorld()).then((code) => process.stdout.write('', () => process.exit(code)))
