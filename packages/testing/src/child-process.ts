/** The processes of the suites. Each opens what is tested, prints `ready`, waits for a line of input, and prints a line for each thing that it has done. */
import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

/** How a child process opens what is tested. `module`: URL of an ES module that exports `open(config)`. `config`: a JSON value. */
export interface OpenInChild {
  readonly module: string
  readonly config: unknown
}

export interface ChildProcess {
  /** Resolves when the process is waiting for `go`; rejects if it ends before. */
  readonly ready: Promise<void>
  readonly go: () => void
  /** Resolves when `count` lines match, or the process has ended. */
  readonly printed: (count: number, line?: RegExp) => Promise<void>
  readonly kill: () => void
  /** Resolves to the lines when the process has ended, also after a kill; rejects if it failed. */
  readonly finished: Promise<readonly string[]>
}

/** `program`: path in this folder, without extension: it is TypeScript as source under Node's type stripping, and JavaScript once built. */
export const startChild = <Task extends OpenInChild>(program: string, task: Task): ChildProcess => {
  const file = fileURLToPath(new URL(`./${program}${import.meta.url.endsWith('.ts') ? '.ts' : '.js'}`, import.meta.url))
  const child = spawn(process.execPath, [file, JSON.stringify(task)], { stdio: ['pipe', 'pipe', 'pipe'] })
  const lines: string[] = []
  const waiting: (() => void)[] = []
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
  const opened = new Promise<void>((resolve) => {
    createInterface({ input: child.stdout }).on('line', (line) => {
      if (line === 'ready') return resolve()
      lines.push(line)
      for (const look of waiting) look()
    })
  })
  const early = ended.then((how) => {
    throw new Error(`The process of '${program}' ended early (${how}): ${complaint}`)
  })
  early.catch(() => undefined)
  return {
    ready: Promise.race([opened, early]),
    go: () => child.stdin.end('go\n'),
    printed: (count, wanted = /^/) =>
      Promise.race([
        ended.then(() => undefined),
        new Promise<void>((resolve) => {
          const look = () => lines.filter((line) => wanted.test(line)).length >= count && resolve()
          waiting.push(look)
          look()
        }),
      ]),
    kill: () => child.kill('SIGKILL'),
    finished: ended.then((how) => {
      if (how !== 0 && how !== 'SIGKILL') throw new Error(`The process of '${program}' failed (${how}): ${complaint}`)
      return lines
    }),
  }
}

/** Throws if the harness does not say how child processes open what is tested. */
export const requireOpenInChild = (openInChild: OpenInChild | undefined): OpenInChild => {
  if (openInChild) return openInChild
  throw new Error(
    "The harness has no 'openInChild'. Add it so that child processes can open what is tested, or pass { processes: false } to the suite.",
  )
}
