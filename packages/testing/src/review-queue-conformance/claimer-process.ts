/** Starts a process that claims and ends entries until the queue is empty or it is killed, and reports each claim and each end. */
import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

export interface ClaimerTask {
  readonly module: string
  readonly config: unknown
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

export interface ClaimerProcess {
  /** Resolves when the process has opened the queue and is waiting for `go`. */
  readonly ready: Promise<void>
  readonly go: () => void
  /** Resolves when `count` entries were claimed, or the process has ended. */
  readonly claimed: (count: number) => Promise<void>
  readonly kill: () => void
  /** Resolves to the lines when the process has ended, also after a kill; rejects if it failed. */
  readonly finished: Promise<readonly ClaimerLine[]>
}

// As source under Node's type stripping; once built, this module is part of `testing/index.js`.
const script = fileURLToPath(
  new URL(import.meta.url.endsWith('.ts') ? './claimer-main.ts' : './review-queue-conformance/claimer-main.js', import.meta.url),
)

export const startClaimer = (task: ClaimerTask): ClaimerProcess => {
  const child = spawn(process.execPath, [script, JSON.stringify(task)], { stdio: ['pipe', 'pipe', 'pipe'] })
  const lines: ClaimerLine[] = []
  const waiting: { readonly count: number; readonly tell: () => void }[] = []
  let complaint = ''
  child.stderr.on('data', (text) => {
    complaint += String(text)
  })
  // Killing the process closes its end of the pipe.
  child.stdin.on('error', () => undefined)
  const ended = new Promise<string | number | null>((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code, signal) => resolve(signal ?? code))
  })
  const countClaimed = () => lines.filter(({ what }) => what === 'claimed').length
  const opened = new Promise<void>((resolve) => {
    createInterface({ input: child.stdout }).on('line', (text) => {
      if (text === 'ready') return resolve()
      const line: ClaimerLine = JSON.parse(text)
      lines.push(line)
      for (const { count, tell } of waiting) if (countClaimed() >= count) tell()
    })
  })
  const early = ended.then((how) => {
    throw new Error(`The claimer process ended early (${how}): ${complaint}`)
  })
  early.catch(() => undefined)
  return {
    ready: Promise.race([opened, early]),
    go: () => child.stdin.end('go\n'),
    claimed: (count) =>
      Promise.race([
        ended.then(() => undefined),
        new Promise<void>((tell) => {
          if (countClaimed() >= count) tell()
          else waiting.push({ count, tell })
        }),
      ]),
    kill: () => child.kill('SIGKILL'),
    finished: ended.then((how) => {
      if (how !== 0 && how !== 'SIGKILL') throw new Error(`The claimer process failed (${how}): ${complaint}`)
      return lines
    }),
  }
}
