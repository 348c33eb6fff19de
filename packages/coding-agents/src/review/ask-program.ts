/** Asks a program one question: the prompt goes to its standard input, the answer comes from its standard output. */
import { type ChildProcess, spawn } from 'node:child_process'
import { asRecord } from '@hermes/core/adapter'

/** Maximum bytes of an answer. */
const MAX_ANSWER = 2_000_000
/** Maximum characters of an error message that are passed on. */
const MAX_TOLD = 300

const lastLine = (text: string): string => text.trim().split('\n').at(-1)?.trim() || 'it gave no reason.'

const parse = (text: string): Readonly<Record<string, unknown>> => {
  try {
    return asRecord(JSON.parse(text))
  } catch {
    return {}
  }
}

/** The JSON in what a program printed, behind what it may have said before; empty if there is none. */
export const jsonIn = (printed: string): Readonly<Record<string, unknown>> => parse(printed.slice(Math.max(0, printed.indexOf('{'))))

/** The JSON of each line; empty for a line of other text. */
export const jsonOfLines = (printed: string): readonly Readonly<Record<string, unknown>>[] => printed.split('\n').map(parse)

export interface ProgramCall {
  readonly program: string
  readonly args: readonly string[]
  readonly prompt: string
  readonly env: NodeJS.ProcessEnv
  /** Folder in which it runs: one without instructions of a project. */
  readonly folder: string
  readonly signal: AbortSignal
}

export interface ProgramAnswer {
  readonly printed: string
  /** Why it is no answer; undefined if the program ended well. */
  readonly failure: string | undefined
}

/** Hosts are often started by a program that starts the real one, so all of its group is stopped. */
const killAll = (child: ChildProcess): void => {
  try {
    if (child.pid === undefined || process.platform === 'win32') child.kill('SIGKILL')
    else process.kill(-child.pid, 'SIGKILL')
  } catch {
    // It has ended.
  }
}

/** A process that kills the program if this one is killed, which can do nothing itself then. Returns what calls it off. */
const startWatch = (pid: number): (() => void) => {
  const target = process.platform === 'win32' ? pid : -pid
  const code = `let told = ''
    process.stdin.on('data', (text) => { told += text }).on('end', () => {
      try { if (told === '') process.kill(${target}, 'SIGKILL') } catch {}
    })`
  const watch = spawn(process.execPath, ['-e', code], { detached: true, stdio: ['pipe', 'ignore', 'ignore'], windowsHide: true })
  watch.on('error', () => {})
  watch.stdin.on('error', () => {})
  watch.unref()
  return () => watch.stdin.end('ended')
}

/** Resolves to what the program printed, also if it fails. Rejects if it is missing, is cancelled or prints too much. It never outlives the call. */
export const askProgram = async ({ program, args, prompt, env, folder, signal }: ProgramCall): Promise<ProgramAnswer> => {
  signal.throwIfAborted()
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { env, cwd: folder, detached: process.platform !== 'win32', stdio: ['pipe', 'pipe', 'pipe'] })
    const stop = () => killAll(child)
    const endWatch = child.pid === undefined ? () => {} : startWatch(child.pid)
    process.once('exit', stop)
    signal.addEventListener('abort', stop, { once: true })
    let [printed, complaint] = ['', '']
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      printed += text
      if (printed.length > MAX_ANSWER) stop()
    })
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      complaint = (complaint + text).slice(-MAX_TOLD)
    })
    // A program that ends early reads no more.
    child.stdin.on('error', () => {})
    child.stdin.end(prompt)
    const end = (settle: () => void) => {
      endWatch()
      process.removeListener('exit', stop)
      signal.removeEventListener('abort', stop)
      settle()
    }
    child.once('error', (cause: NodeJS.ErrnoException) =>
      end(() => reject(cause.code === 'ENOENT' ? new Error(`The program '${program}' was not found.`, { cause }) : cause)),
    )
    // What it has started and left would keep its output open.
    child.once('exit', stop)
    child.once('close', (code) =>
      end(() => {
        if (signal.aborted) reject(signal.reason)
        else if (printed.length > MAX_ANSWER) reject(new Error(`'${program}' printed more than ${MAX_ANSWER} characters.`))
        else resolve({ printed, failure: code === 0 ? undefined : `'${program}' ended with ${code ?? 'a signal'}: ${lastLine(complaint)}` })
      }),
    )
  })
}
