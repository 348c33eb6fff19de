/** A child process that is read line by line. */
import { type ChildProcess, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { onTestFinished } from 'vitest'

export interface Child {
  readonly process: ChildProcess
  /** The next line that it prints; rejects if the process ends instead. */
  readonly line: () => Promise<string>
  /** Exit code or signal. */
  readonly ended: Promise<number | string | null>
}

/** Killed at the end of the test if it still runs. */
export const startChild = (script: string, task: unknown): Child => {
  const child = spawn(process.execPath, [script, JSON.stringify(task)], { stdio: ['ignore', 'pipe', 'inherit'] })
  const ended = new Promise<number | string | null>((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code, signal) => resolve(signal ?? code))
  })
  ended.catch(() => undefined)
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  onTestFinished(() => void child.kill('SIGKILL'))
  const line = async () => {
    const next = await lines.next()
    if (next.done) throw new Error(`${script} ended (${await ended}).`)
    return next.value
  }
  return { process: child, line, ended }
}
