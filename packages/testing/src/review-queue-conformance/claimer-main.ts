/** The claimer process of the conformance suite: opens the queue, waits for input, then claims and ends entries until none is left. */

import { once } from 'node:events'
import { setTimeout } from 'node:timers/promises'
import type { ReviewQueue } from '@hermes/core/queue'
import type { OpenInChild } from '../child-process.ts'

export interface ClaimerTask extends OpenInChild {
  /** Milliseconds between claims and their ends. */
  readonly holdMs: number
  readonly leaseMs: number
}

export interface ClaimerLine {
  readonly what: 'claimed' | 'done'
  /** Owner and kind. */
  readonly name: string
  readonly fence: number
}

const LIMIT = 3
const POLL_MS = 25

const print = (line: ClaimerLine): void => {
  process.stdout.write(`${JSON.stringify(line)}\n`)
}

const runClaimer = async (): Promise<void> => {
  const task: ClaimerTask = JSON.parse(process.argv[2] ?? '')
  const { open }: { open: (config: unknown) => Promise<ReviewQueue> } = await import(task.module)
  const queue = await open(task.config)
  process.stdout.write('ready\n')
  await once(process.stdin, 'data')
  for (;;) {
    const claims = await queue.claim({ limit: LIMIT, leaseMs: task.leaseMs })
    if (!claims.ok) throw claims.error
    const named = claims.value.map((claim) => ({ claim, name: `${claim.owner?.user} ${claim.kind}`, fence: claim.fence }))
    for (const { name, fence } of named) print({ what: 'claimed', name, fence })
    if (named.length > 0) await setTimeout(task.holdMs)
    for (const { claim, name, fence } of named) {
      const ended = await queue.end(claim, 'done')
      // A slow machine may lose a claim; whoever took it ends it.
      if (ended.ok) print({ what: 'done', name, fence })
      else if (ended.error.code !== 'superseded') throw ended.error
    }
    if (named.length > 0) continue
    const stats = await queue.stats()
    if (!stats.ok) throw stats.error
    if (stats.value.waiting + stats.value.claimed === 0) break
    await setTimeout(POLL_MS)
  }
  await queue.close()
}

// No `await` here, so that this file can be built as CommonJS too.
runClaimer().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`)
  process.exitCode = 1
})
