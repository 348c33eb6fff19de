/** Runs one program of the example with lines as its standard input, and shows what it prints. */
import { spawn } from 'node:child_process'
import { join } from 'node:path'

export interface ProgramRun {
  readonly program: 'before' | 'after' | 'agent'
  readonly lines: readonly string[]
  readonly env: Readonly<Record<string, string>>
}

/** Rejects where the program fails. */
export const runProgram = ({ program, lines, env }: ProgramRun): Promise<void> =>
  new Promise((resolve, reject) => {
    const file = join(import.meta.dirname, '..', `${program}.ts`)
    const child = spawn(process.execPath, [file], { env: { ...process.env, ...env }, stdio: ['pipe', 'inherit', 'inherit'] })
    child.on('error', reject)
    child.on('close', (code) => (code === 0 ? resolve() : reject(new Error(`${program}.ts ended with ${code}.`))))
    child.stdin.end(lines.map((line) => `${line}\n`).join(''))
  })
