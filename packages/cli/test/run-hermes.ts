/** Runs the command on a temporary home, without the machine's environment: as a process, or faster in this one. */
import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { Readable, Writable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { fileSystemBackend } from '@hermes/core/file-system'
import { createJournal, type JournalRecordInput } from '@hermes/core/journal'
import { onTestFinished } from 'vitest'
import { runCli } from '../src/run-cli.ts'

/** The build, which starts in half the time of the sources. */
export const MAIN = fileURLToPath(new URL('../dist/main.js', import.meta.url))

export interface HermesRun {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

/** Removed when the test ends. */
export const temporaryHome = (parent = tmpdir()): string => {
  const folder = mkdtempSync(join(parent, 'hermes-cli-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** Nobody else can write the files, whatever the umask of the machine. */
export const writeHome = (home: string, files: Readonly<Record<string, string>>): void => {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(home, path)), { recursive: true, mode: 0o755 })
    writeFileSync(join(home, path), text, { mode: 0o644 })
  }
}

export const skillText = (name: string, description = `How to ${name}.`): string =>
  `---\nname: ${name}\ndescription: ${description}\n---\n\n# ${name}\n\nDo it.\n`

export interface RunOptions {
  readonly env?: Readonly<Record<string, string>>
  readonly input?: string
  /** Epoch milliseconds; only in this process. */
  readonly now?: number
  /** Columns of a terminal on stdout and stderr; by default both are pipes. Only in this process. */
  readonly columns?: number
  /** Presses Ctrl-C as soon as the command listens; only in this process. */
  readonly interrupt?: boolean
}

const collect = (columns: number | undefined) => {
  const chunks: string[] = []
  const pipe = new Writable({
    write: (chunk, _encoding, done) => {
      chunks.push(String(chunk))
      done()
    },
  })
  const stream = columns === undefined ? pipe : Object.assign(pipe, { isTTY: true, columns })
  return { stream, text: () => chunks.join('') }
}

let ids = 0

export interface RunningHermes {
  readonly ended: Promise<HermesRun>
  /** What it has printed so far. */
  readonly printed: () => Omit<HermesRun, 'code'>
  /** Presses Ctrl-C, as soon as the command listens. */
  stop(): Promise<HermesRun>
}

/** Starts the code behind the entry file in this process. */
export const startHermes = (
  args: readonly string[],
  { env = {}, input = '', now, columns, interrupt = false }: RunOptions = {},
): RunningHermes => {
  const [stdout, stderr] = [collect(columns), collect(columns)]
  const listeners = new Set<() => void>()
  let isStopped = interrupt
  const listen = (listener: () => void) => {
    listeners.add(listener)
    if (isStopped) listener()
    return () => void listeners.delete(listener)
  }
  const printed = () => ({ stdout: stdout.text(), stderr: stderr.text() })
  const running = runCli(args, {
    // A terminal without colours and cursor movement, so that the output is plain text.
    env: columns === undefined ? env : { TERM: 'dumb', ...env },
    stdin: Readable.from([input]),
    stdout: stdout.stream,
    stderr: stderr.stream,
    userHome: env['HOME'] ?? '/no/such/home',
    createId: () => `id-${String(++ids).padStart(5, '0')}`,
    onInterrupt: listen,
    onStop: listen,
    endSoon: () => {},
    ...(now === undefined ? {} : { clock: () => now }),
  })
  const ended = running.then((code) => ({ code, ...printed() }))
  const stop = () => {
    isStopped = true
    for (const listener of listeners) listener()
    return ended
  }
  return { ended, printed, stop }
}

/** Runs the code behind the entry file in this process. */
export const runHermes = (args: readonly string[], options?: RunOptions): Promise<HermesRun> => startHermes(args, options).ended

/** Runs the command as a separate process. */
export const spawnHermes = (args: readonly string[], { env = {}, input = '' }: RunOptions = {}): Promise<HermesRun> =>
  new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [MAIN, ...args], {
      env: { PATH: process.env['PATH'], NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'], HOME: '/no/such/home', ...env },
      stdio: ['pipe', 'pipe', 'pipe'],
    })
    let stdout = ''
    let stderr = ''
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      stdout += text
    })
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      stderr += text
    })
    child.on('error', reject)
    child.on('close', (code) => resolve({ code, stdout, stderr }))
    child.stdin.on('error', () => {})
    child.stdin.end(input)
  })

/** Returns the object that `--json` prints on stdout; fails if stdout contains anything else. */
export const runJson = async (args: readonly string[], options?: RunOptions) => {
  const { code, stdout, stderr } = await runHermes([...args, '--json'], options)
  return {
    code,
    stderr,
    told: JSON.parse(stdout) as {
      readonly ok: boolean
      readonly value?: unknown
      readonly error?: unknown
      readonly warnings?: readonly string[]
    },
  }
}

/** A home whose journal has these records, each with its age in days. Their ids are rec1-0000-0000 and so on. */
export const homeWithJournal = async (
  records: readonly (readonly [days: number, record: JournalRecordInput])[],
  now: number,
): Promise<string> => {
  const home = temporaryHome()
  const storage = fileSystemBackend(home)
  let at = now
  let id = 0
  const journal = createJournal({ storage, clock: () => at, createId: () => `rec${++id}-0000-0000` })
  for (const [days, record] of records) {
    at = now - days * 86_400_000
    await journal.append([record])
  }
  await storage.close()
  return home
}
