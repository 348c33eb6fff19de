/** Runs the chat as a person would script it, with piped input, a private home and no model keys: in this process, or as one of its own. */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { EventEmitter } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough, Writable } from 'node:stream'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { RecordedRequest } from '@hermes/example-chat-parts/recording-middleware'
import type { World } from '@hermes/example-chat-parts/world'
import { onTestFinished } from 'vitest'
import { runChat as runInWorld } from '../src/run-chat.ts'

export const MAIN = fileURLToPath(new URL('../src/main.ts', import.meta.url))

/** Removed when the test ends. */
export const temporaryFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'hermes-chat-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

export interface StartOptions {
  readonly args?: readonly string[]
  readonly env?: Readonly<Record<string, string>>
  /** Where the person is. */
  readonly cwd?: string
}

const HOME = '/no/such/home'

export interface ChatInProcess {
  /** Resolves to the exit code. */
  readonly exited: Promise<number>
  /** What SIGINT does to a process. */
  readonly interrupt: () => void
  /** Calls of `onInterrupt` and `onExit` that were not taken back. */
  readonly listeners: () => number
}

/** Starts the chat in this process, at streams of the test. It is interrupted if it still runs when the test ends. */
export const startAt = (
  streams: Pick<World, 'stdin' | 'stdout' | 'stderr'>,
  { args = [], env = {}, cwd = process.cwd() }: StartOptions,
): ChatInProcess => {
  const events = new EventEmitter()
  const on = (event: 'interrupt' | 'exit') => (listener: () => void) => {
    events.on(event, listener)
    return () => void events.off(event, listener)
  }
  const interrupt = (): void => void events.emit('interrupt')
  const person = { env: { HOME, ...env }, userHome: env['HOME'] ?? HOME, cwd }
  let isOver = false
  const exited = runInWorld(args, { ...person, ...streams, onInterrupt: on('interrupt'), onExit: on('exit') }).finally(() => {
    isOver = true
  })
  onTestFinished(async () => {
    for (; !isOver; await nextTurn()) interrupt()
  })
  return { exited, interrupt, listeners: () => events.listenerCount('interrupt') + events.listenerCount('exit') }
}

/** A pipe that keeps what is written to it. */
const collect = () => {
  let text = ''
  const checks = new Set<() => void>()
  const stream = new Writable({
    decodeStrings: false,
    write: (chunk, _encoding, done) => {
      text += String(chunk)
      for (const check of [...checks]) check()
      done()
    },
  })
  const waitFor = (part: string): Promise<void> =>
    new Promise((resolve) => {
      const check = (): void => {
        if (!text.includes(part)) return
        checks.delete(check)
        resolve()
      }
      checks.add(check)
      check()
    })
  return { stream, text: () => text, waitFor }
}

export interface ChatRun {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

/** A chat at pipes, to which the test says one thing after another. */
export const startChat = (options: StartOptions = {}) => {
  const stdin = new PassThrough()
  const [stdout, stderr] = [collect(), collect()]
  const chat = startAt({ stdin, stdout: stdout.stream, stderr: stderr.stream }, options)
  const ended = chat.exited.then((code): ChatRun => ({ code, stdout: stdout.text(), stderr: stderr.text() }))
  /** Resolves when the output has `part`. */
  const { waitFor } = stdout
  return { ...chat, stdin, streams: [stdin, stdout.stream, stderr.stream], waitFor, ended }
}

export interface RunOptions extends StartOptions {
  readonly lines?: readonly string[]
}

const toInput = (lines: readonly string[]): string => lines.map((line) => `${line}\n`).join('')

export const runChat = ({ lines = [], ...options }: RunOptions): Promise<ChatRun> => {
  const { stdin, ended } = startChat(options)
  stdin.end(toInput(lines))
  return ended
}

/** The program as a process of its own, for what only a process can show. */
export const startProcess = ({ args = [], env = {}, cwd }: StartOptions): ChildProcessWithoutNullStreams =>
  spawn(process.execPath, [MAIN, ...args], {
    env: { PATH: process.env['PATH'], NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'], HOME, ...env },
    ...(cwd === undefined ? {} : { cwd }),
  })

export interface EndOfProcess extends ChatRun {
  readonly signal: NodeJS.Signals | null
}

/** `onOutput` is called with all of stdout so far. */
export const endOf = (child: ChildProcessWithoutNullStreams, onOutput: (stdout: string) => void = () => {}): Promise<EndOfProcess> =>
  new Promise((resolve, reject) => {
    let stdout = ''
    let stderr = ''
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      stdout += text
      onOutput(stdout)
    })
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      stderr += text
    })
    child.on('error', reject)
    child.on('close', (code, signal) => resolve({ code, signal, stdout, stderr }))
  })

/** The same as `runChat`, as a process of its own. */
export const runProcess = ({ lines = [], ...options }: RunOptions): Promise<EndOfProcess> => {
  const child = startProcess(options)
  child.stdin.on('error', () => {})
  child.stdin.end(toInput(lines))
  return endOf(child)
}

export const readRecording = (file: string): readonly RecordedRequest[] =>
  readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line): RecordedRequest => JSON.parse(line))
