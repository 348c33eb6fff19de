/** The built app as `next start` serves it, with a home folder of its own, or with a database. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const APP = join(import.meta.dirname, '..')
const START_LIMIT_MS = 30_000

export interface RecordedPrompt {
  readonly purpose: 'turn' | 'review'
  readonly prompt: unknown
}

export interface App {
  readonly url: string
  /** Every prompt the model was sent, oldest first. */
  readonly prompts: () => readonly RecordedPrompt[]
  /** Paths of the files below the home, and their bytes as text. */
  readonly files: () => readonly { readonly path: string; readonly text: string }[]
  /** What the server reported as wrong; empty when all is well. */
  readonly errors: () => string
  readonly stop: () => Promise<void>
}

/** `env`: added to the app's environment. */
export const startApp = async (env: Readonly<Record<string, string>> = {}): Promise<App> => {
  if (!existsSync(join(APP, '.next/BUILD_ID')))
    throw new Error('The app is not built. Run `npx -y pnpm@12 exec turbo run build:app` first.')
  const folder = await mkdtemp(join(tmpdir(), 'hermes-next-chat-'))
  const home = join(folder, 'home')
  const record = join(folder, 'prompts.jsonl')
  const next = join(APP, 'node_modules/next/dist/bin/next')
  const server = spawn(process.execPath, [next, 'start', '--hostname', '127.0.0.1', '--port', '0'], {
    cwd: APP,
    // No key of the machine may turn the test into one of a real model.
    env: { ...process.env, NODE_ENV: 'production', OPENAI_API_KEY: '', DATABASE_URL: '', HERMES_HOME: home, PROMPTS: record, ...env },
  })
  const ended = once(server, 'exit')
  let output = ''
  let errors = ''
  server.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors += text
  })
  const stop = async (): Promise<void> => {
    server.kill('SIGKILL')
    await ended
    await rm(folder, { recursive: true, force: true })
  }
  const url = await new Promise<string>((resolve, reject) => {
    const fail = () => reject(new Error(`The app did not start.\n${output}${errors}`))
    const timer = setTimeout(fail, START_LIMIT_MS)
    server.once('exit', fail)
    server.stdout.setEncoding('utf8').on('data', (text: string) => {
      output += text
      const [, found] = /Local:\s+(http:\S+)[\s\S]*Ready/.exec(output) ?? []
      if (found === undefined) return
      clearTimeout(timer)
      resolve(found)
    })
  }).catch(async (cause) => {
    await stop()
    throw cause
  })
  return {
    url,
    stop,
    errors: () => errors,
    prompts: () =>
      !existsSync(record)
        ? []
        : readFileSync(record, 'utf8')
            .split('\n')
            .filter((line) => line !== '')
            .map((line): RecordedPrompt => JSON.parse(line)),
    files: () =>
      !existsSync(home)
        ? []
        : readdirSync(home, { recursive: true, encoding: 'utf8' })
            .filter((path) => statSync(join(home, path)).isFile())
            .map((path) => ({ path, text: readFileSync(join(home, path), 'latin1') })),
  }
}
