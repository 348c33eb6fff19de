/** One review in a process of its own, which ends with it. Never more than one of them for a home: the home itself sees to that, and a lock saves the processes. */
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type HermesEvent, systemClock } from '@hermes/core'
import type { QueuedReviewKind } from '@hermes/core/queue'
import type { AgentHost } from '../agent-host.ts'
import { agentsFolder } from '../home-folder.ts'
import { openHome } from '../open-home.ts'
import { isLocked, takeLock } from '../process-lock.ts'
import { ReviewOnce } from './review-once.ts'

/** Milliseconds after which the process ends, whatever it does. */
const LIMIT_MS = 300_000

const lockFile = (): string => join(agentsFolder(), 'reviewing')
/** How the newest review ended, for `hermes doctor`. */
const resultFile = (): string => join(agentsFolder(), 'last-review')

/** Starts the process, unless one is running. `program`: the file of the hook. Nobody waits for it. */
export const startReview = async (host: AgentHost, kind: QueuedReviewKind, program: string): Promise<void> => {
  if (await isLocked(lockFile(), LIMIT_MS)) return
  const { spawn } = await import('node:child_process')
  const child = spawn(process.execPath, [program, host.name, 'review', kind], { detached: true, stdio: 'ignore', windowsHide: true })
  // The next turn finds the review still due.
  child.on('error', () => {})
  child.unref()
}

export const isReviewKind = (word: string | undefined): word is QueuedReviewKind => word === 'turns' || word === 'end' || word === 'idle'

/** Runs what is due, and the upkeep of the skills if its time has come. */
export const runReview = async (host: AgentHost, kind: QueuedReviewKind): Promise<void> => {
  // biome-ignore lint/nursery/noProcessExit: no process of ours outlives its work, whatever it waits for.
  setTimeout(() => process.exit(1), LIMIT_MS).unref()
  if (!(await takeLock(lockFile(), LIMIT_MS))) return
  let failure = ''
  const onEvent = (event: HermesEvent) => {
    if ('error' in event && event.error instanceof Error) failure = event.error.message
  }
  try {
    const hermes = await openHome(host, { queue: new ReviewOnce(kind), model: host.model, onEvent })
    const worked = await hermes.work({ once: true })
    if (!worked.ok) failure = worked.error.message
    await hermes.curator.maybeRun()
    await hermes.close()
  } catch (cause) {
    failure = cause instanceof Error ? cause.message : String(cause)
  } finally {
    const result = { at: systemClock(), host: host.name, ...(failure === '' ? {} : { failure }) }
    await writeFile(resultFile(), JSON.stringify(result), { mode: 0o600 })
    await rm(lockFile(), { force: true })
  }
}
