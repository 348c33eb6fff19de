/**
 * `node slow-turn.ts <json>`: the first turn of a session. Prints three times in milliseconds: how long the turn was held, when a timer of
 * its limit fired, and how long the event loop was blocked at most.
 */
import { writeSync } from 'node:fs'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { createHermes } from '../../../src/create-hermes.ts'
import { fileSystemBackend } from '../../../src/storage/files/file-backend.ts'

const { home, limitMs } = JSON.parse(process.argv[2] ?? '')
const hermes = createHermes({ storage: fileSystemBackend(home), sessions: { loadTimeoutMs: limitMs } })
const session = hermes.session('slow')
const delay = monitorEventLoopDelay({ resolution: 10 })
delay.enable()
const start = performance.now()
const limit = new Promise<number>((resolve) => setTimeout(() => resolve(performance.now() - start), limitMs))
await session.systemBlock()
const heldMs = performance.now() - start
// Background work after the turn counts too.
await new Promise((resolve) => setTimeout(resolve, limitMs))
delay.disable()
writeSync(1, `${JSON.stringify({ heldMs, timerMs: await limit, blockedMs: delay.max / 1e6 })}\n`)
process.exit()
