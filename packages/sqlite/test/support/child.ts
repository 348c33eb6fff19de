/** A program that updates a file; killed at the end of the test if it still runs. */
import { type ChildProcess, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { onTestFinished } from 'vitest'
import { bundledProgram } from '../../../../scripts/support/bundled-program.ts'
import type { UpdateTask } from './update-main.ts'

export interface Child {
  readonly process: ChildProcess
  /** Exit code or signal, once all lines are read. */
  readonly ended: Promise<number | string | null>
}

export const startUpdating = (task: UpdateTask, onLine: (entry: string) => void): Child => {
  const program = bundledProgram(new URL('update-main.ts', import.meta.url))
  const child = spawn(process.execPath, [program, JSON.stringify(task)], { stdio: ['ignore', 'pipe', 'inherit'] })
  createInterface({ input: child.stdout }).on('line', onLine)
  onTestFinished(() => void child.kill('SIGKILL'))
  const ended = new Promise<number | string | null>((resolve) => {
    child.on('close', (code, signal) => resolve(signal ?? code))
  })
  return { process: child, ended }
}
