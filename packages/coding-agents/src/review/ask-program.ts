/** Asks a program one question: the prompt goes to its standard input, the answer comes from its standard output. */
import { spawn } from 'node:child_process'

/** Maximum bytes of an answer. */
const MAX_ANSWER = 2_000_000
/** Maximum characters of an error message that are passed on. */
const MAX_TOLD = 300

export interface ProgramCall {
  readonly program: string
  readonly args: readonly string[]
  readonly prompt: string
  readonly env: NodeJS.ProcessEnv
  /** Folder in which it runs: one without instructions of a project. */
  readonly folder: string
  readonly signal: AbortSignal
}

/** Resolves to what the program printed. Rejects if it is missing, fails, is cancelled or prints too much. It never outlives the call. */
export const askProgram = ({ program, args, prompt, env, folder, signal }: ProgramCall): Promise<string> =>
  new Promise((resolve, reject) => {
    const child = spawn(program, args, { env, cwd: folder, signal, killSignal: 'SIGKILL', stdio: ['pipe', 'pipe', 'pipe'] })
    const stop = () => child.kill('SIGKILL')
    process.once('exit', stop)
    let [answer, complaint] = ['', '']
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      answer += text
      if (answer.length > MAX_ANSWER) stop()
    })
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      complaint = (complaint + text).slice(-MAX_TOLD)
    })
    // A program that ends early reads no more.
    child.stdin.on('error', () => {})
    child.stdin.end(prompt)
    const end = (settle: () => void) => {
      process.removeListener('exit', stop)
      settle()
    }
    child.once('error', (cause: NodeJS.ErrnoException) =>
      end(() => reject(cause.code === 'ENOENT' ? new Error(`The program '${program}' was not found.`, { cause }) : cause)),
    )
    child.once('close', (code) =>
      end(() => {
        if (code === 0 && answer.length <= MAX_ANSWER) resolve(answer)
        else reject(new Error(`'${program}' ended with ${code ?? 'a signal'}: ${(complaint || answer).trim().slice(-MAX_TOLD)}`))
      }),
    )
  })
