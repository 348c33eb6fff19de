/** Starts the processes in which peers are measured. */
import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { HOME } from './build.ts'
import type { Requests } from './worker.ts'

const PROGRAMS = join(HOME, 'dist/harness')

/** Where the peers find the model and the database; and no telemetry of any. */
export interface Surroundings {
  readonly modelUrl: string
  readonly postgresUrl: string
  /** Home folder of all processes, so that no peer reads or writes the user's own. */
  readonly home: string
  /** A folder where Node keeps compiled code between processes, for figures that only count. */
  readonly compileCache?: string
}

const environment = ({ modelUrl, postgresUrl, home, compileCache }: Surroundings): NodeJS.ProcessEnv => ({
  PATH: process.env['PATH'],
  HOME: home,
  TMPDIR: process.env['TMPDIR'],
  PEERS_MODEL_URL: modelUrl,
  PEERS_POSTGRES_URL: postgresUrl,
  MEM0_TELEMETRY: 'false',
  MASTRA_TELEMETRY_DISABLED: '1',
  VOLTAGENT_TELEMETRY_DISABLED: '1',
  LANGSMITH_TRACING: 'false',
  DO_NOT_TRACK: '1',
  OPENAI_API_KEY: 'none',
  NODE_NO_WARNINGS: '1',
  ...(compileCache !== undefined && { NODE_COMPILE_CACHE: compileCache }),
})

export interface Worker {
  ask<Name extends keyof Requests>(name: Name, request: Requests[Name]): Promise<unknown>
  end(): void
}

/** The last lines that a process wrote, for the message of a failure. */
const tailOf = (child: ChildProcess): (() => string) => {
  let tail = ''
  const keep = (text: unknown): void => {
    tail = (tail + String(text)).slice(-2_000)
  }
  child.stdout?.on('data', keep)
  child.stderr?.on('data', keep)
  return () => tail
}

export const startWorker = (peer: string, surroundings: Surroundings): Worker => {
  const child = spawn(process.execPath, [join(PROGRAMS, 'worker.mjs'), peer], {
    env: environment(surroundings),
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  const tail = tailOf(child)
  return {
    ask: (name, request) =>
      new Promise((resolve, reject) => {
        const fail = (code: unknown): void => reject(new Error(`${peer} ended (${code}) during ${name}: ${tail()}`))
        child.once('exit', fail)
        child.once('message', (message: { readonly value?: unknown; readonly error?: string }) => {
          child.off('exit', fail)
          if (message.error === undefined) resolve(message.value)
          else reject(new Error(`${peer}, ${name}: ${message.error}`))
        })
        child.send({ name, request })
      }),
    end: () => child.kill('SIGKILL'),
  }
}

/** A process alone: lines of its file descriptor 3, in order. */
export interface Lone {
  readonly lines: AsyncIterator<string>
  readonly ended: Promise<unknown>
  /** Ends it and all that it has started, as `kill -9` does. */
  kill(): void
  tail(): string
}

export const startProgram = (program: 'start' | 'writer', args: readonly string[], surroundings: Surroundings): Lone => {
  const child = spawn(process.execPath, [join(PROGRAMS, `${program}.mjs`), ...args], {
    env: environment(surroundings),
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
    detached: true,
  })
  const reader = createInterface({ input: child.stdio[3] as Readable })
  return {
    lines: reader[Symbol.asyncIterator](),
    ended: new Promise((resolve) => child.once('exit', resolve)),
    kill: () => {
      if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, 'SIGKILL')
    },
    tail: tailOf(child),
  }
}
