/** A child process that communicates line by line, so that no test has to guess how long something takes. */
import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { onTestFinished } from 'vitest'

export interface Child {
  readonly process: ChildProcess
  /** The next line that it prints; rejects if the process ends instead. */
  readonly line: () => Promise<string>
  readonly say: (text: string) => void
  /** Exit code or signal. */
  readonly ended: Promise<number | string | null>
}

export const startChild = (command: string, args: readonly string[], options: SpawnOptions = {}): Child => {
  const child = spawn(command, args, { ...options, stdio: ['pipe', 'pipe', 'inherit'] })
  const ended = new Promise<number | string | null>((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code, signal) => resolve(signal ?? code))
  })
  ended.catch(() => undefined)
  child.stdin?.on('error', () => undefined)
  const lines = child.stdout ? createInterface({ input: child.stdout })[Symbol.asyncIterator]() : undefined
  onTestFinished(() => void child.kill('SIGKILL'))
  return {
    process: child,
    line: async () => {
      const next = await lines?.next()
      if (!next || next.done) throw new Error(`${command} ended without a word (${await ended}).`)
      return next.value
    },
    say: (text) => void child.stdin?.write(`${text}\n`),
    ended,
  }
}
