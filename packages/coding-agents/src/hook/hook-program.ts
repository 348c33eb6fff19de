/**
 * `hook <host> <event>` with the host's JSON on standard input, and `hook <host> review <kind>` for the review that it starts. It never fails its host, and never holds
 * it up for longer than two seconds.
 */
import { asRecord } from '@hermes/core/adapter'
import { findHost } from '../agent-hosts.ts'
import { REVIEWING } from '../review/reviewing.ts'
import { isReviewKind, runReview } from '../review/start-review.ts'
import { runHook } from './run-hook.ts'

/** Milliseconds since the start of the process after which it ends, whatever it does. What was not recorded is recorded with the next turn. */
const limitMs = (): number => Number(process.env['HERMES_HOOK_LIMIT_MS']) || 1_800
/** Maximum characters of the host's JSON. */
const MAX_INPUT = 4_000_000

const readInput = async (): Promise<Readonly<Record<string, unknown>>> => {
  let text = ''
  process.stdin.setEncoding('utf8')
  for await (const chunk of process.stdin) {
    text += chunk
    if (text.length > MAX_INPUT) throw new Error('The host has sent more than 4 million characters to a hook.')
  }
  return asRecord(JSON.parse(text))
}

const endInTime = (): NodeJS.Timeout =>
  setTimeout(
    () => {
      process.stderr.write('hermes: no answer in time; the turn is recorded with the next one.\n')
      // biome-ignore lint/nursery/noProcessExit: whatever is under way, the host does not wait for it.
      process.exit(0)
    },
    Math.max(1, limitMs() - process.uptime() * 1_000),
  )

const run = async ([name, event = '', kind]: readonly string[], program: string): Promise<void> => {
  const host = findHost(name)
  if (!host) throw new Error(`There is no host '${name ?? ''}'.`)
  if (event === 'review') {
    if (isReviewKind(kind)) await runReview(host, kind)
    return
  }
  const timer = endInTime()
  try {
    const call = host.hookCall(await readInput(), event)
    if (call) process.stdout.write(await runHook(host, call, program, Math.round(limitMs() * 0.8)))
  } finally {
    // It still counts for what may go on in the background.
    timer.unref()
  }
}

/** `program`: the path of the file that was started. */
export const hookProgram = async (program: string): Promise<void> => {
  // The host has left.
  process.stdout.on('error', () => {})
  process.stderr.on('error', () => {})
  // Hooks inside a review would lead to another one.
  if (process.env[REVIEWING] !== undefined) return
  await run(process.argv.slice(2), program).catch((cause: unknown) => {
    process.stderr.write(`hermes: ${cause instanceof Error ? cause.message.split('\n')[0] : String(cause)}\n`)
  })
}
