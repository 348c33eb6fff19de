/** Starts a process that writes to the tree until it is done or killed and reports each acknowledged write. */
import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

export interface WriterTask {
  readonly module: string
  readonly config: unknown
  readonly path: string
  /** Entries are named `<writer>-<number>`. */
  readonly writer: string
  readonly times: number
}

export interface WriterProcess {
  /** Resolves when the process has opened the storage and is waiting for `go`. */
  readonly ready: Promise<void>
  readonly go: () => void
  /** Resolves when `count` writes were acknowledged; rejects if the process ends before. */
  readonly acknowledged: (count: number) => Promise<void>
  readonly kill: () => void
  /** Resolves to the acknowledged entries when the process has ended, also after a kill; rejects if a write failed. */
  readonly finished: Promise<readonly string[]>
}

// As source under Node's type stripping; once built, this module is part of `testing/index.js`.
const script = fileURLToPath(
  new URL(import.meta.url.endsWith('.ts') ? './writer-main.ts' : './storage-conformance/writer-main.js', import.meta.url),
)

export const startWriter = (task: WriterTask): WriterProcess => {
  const child = spawn(process.execPath, [script, JSON.stringify(task)], { stdio: ['pipe', 'pipe', 'pipe'] })
  const entries: string[] = []
  const waiting: { readonly count: number; readonly tell: () => void }[] = []
  let complaint = ''
  child.stderr.on('data', (text) => {
    complaint += String(text)
  })
  // Killing the process closes its end of the pipe.
  child.stdin.on('error', () => undefined)
  const lines = createInterface({ input: child.stdout })
  const ended = new Promise<string | number | null>((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code, signal) => resolve(signal ?? code))
  })
  const early = ended.then((how) => {
    throw new Error(`The writer process ended early (${how}): ${complaint}`)
  })
  early.catch(() => undefined)
  const opened = new Promise<void>((resolve) => {
    lines.on('line', (line) => {
      if (line === 'ready') return resolve()
      entries.push(line)
      for (const { count, tell } of waiting) if (entries.length >= count) tell()
    })
  })
  return {
    ready: Promise.race([opened, early]),
    go: () => child.stdin.end('go\n'),
    acknowledged: (count) =>
      Promise.race([
        early,
        new Promise<void>((tell) => {
          if (entries.length >= count) tell()
          else waiting.push({ count, tell })
        }),
      ]),
    kill: () => child.kill('SIGKILL'),
    finished: ended.then((how) => {
      if (how !== 0 && how !== 'SIGKILL') throw new Error(`The writer process failed (${how}): ${complaint}`)
      return entries
    }),
  }
}
