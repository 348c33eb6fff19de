/** The development server of LangGraph in an app of its own: installed by npm, started and driven as its users do. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { freePort } from '../support/free-port.ts'
import { createReader, type Reader, userEnvironment } from './reader.ts'

interface Checkpoint {
  readonly checkpoint_id: string
}

interface ThreadState {
  readonly values: { readonly messages?: readonly { readonly content: unknown }[] }
  readonly next: readonly string[]
  readonly checkpoint: Checkpoint
}

interface Run {
  readonly run_id: string
  readonly status: string
}

export interface RunPayload {
  readonly input?: { readonly messages: readonly { readonly role: 'user'; readonly content: string }[] } | null
  readonly command?: { readonly resume: unknown }
  readonly checkpoint?: Checkpoint | undefined
  readonly config?: object
  readonly context?: object
  readonly multitaskStrategy?: 'reject' | 'enqueue' | 'interrupt' | 'rollback' | undefined
  readonly streamMode?: string
}

/** What the tests use of the `Client` of `@langchain/langgraph-sdk`, which is installed in the app. */
interface LangGraphClient {
  readonly threads: {
    create(): Promise<{ readonly thread_id: string }>
    getHistory(thread: string, options: { readonly limit: number }): Promise<readonly ThreadState[]>
  }
  readonly runs: {
    wait(thread: string | null, assistant: string, payload: RunPayload): Promise<{ readonly __interrupt__?: readonly unknown[] }>
    stream(thread: string, assistant: string, payload: RunPayload): AsyncIterable<{ readonly event: string }>
    create(thread: string, assistant: string, payload: RunPayload): Promise<Run>
    join(thread: string, run: string): Promise<unknown>
    get(thread: string, run: string): Promise<Run>
    cancel(thread: string, run: string, wait: boolean, action: 'interrupt' | 'rollback'): Promise<void>
  }
  readonly assistants: {
    create(payload: { readonly graphId: string; readonly config: object }): Promise<{ readonly assistant_id: string }>
  }
}

/** The app in an empty folder, with what its package.json names and our own packages. */
export const installApp = async (): Promise<Reader> => {
  const reader = await createReader()
  await cp(join(import.meta.dirname, 'apps/langgraph-server'), reader.folder, { recursive: true })
  await reader.install(['@hermes/core', '@hermes/langchain'])
  return reader
}

const eventually = async (what: string, holds: () => boolean | Promise<boolean>): Promise<void> => {
  for (let attempt = 0; !(await holds()); attempt++) {
    if (attempt === 600) throw new Error(`It did not happen in a minute: ${what}`)
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}

export interface LangGraphServer {
  /** A client of somebody who is signed in. */
  readonly as: (name: string) => LangGraphClient
  /** Everything that was printed. */
  readonly printed: () => string
  /** Resolves when the server has loaded the app again, after `change`. */
  readonly reload: (change: () => Promise<void>) => Promise<void>
  /** As by a process manager: asks the server to stop, and resolves when it has saved its threads. */
  readonly stop: () => Promise<void>
  readonly kill: () => Promise<void>
}

export const startServer = async ({ folder, home }: Reader, env: Readonly<Record<string, string>>): Promise<LangGraphServer> => {
  const port = await freePort()
  const apiUrl = `http://127.0.0.1:${port}`
  const args = ['dev', '--no-browser', '--host', '127.0.0.1', '--port', String(port)]
  const server = spawn(join(folder, 'node_modules/.bin/langgraphjs'), args, {
    cwd: folder,
    env: { ...userEnvironment(home), LANGGRAPH_CLI_NO_ANALYTICS: '1', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    // A group of its own: it starts others.
    detached: true,
  })
  let printed = ''
  for (const stream of [server.stdout, server.stderr]) stream.setEncoding('utf8').on('data', (text: string) => (printed += text))
  const ended = once(server, 'exit')
  const answers = () =>
    fetch(`${apiUrl}/info`).then(
      () => true,
      () => false,
    )
  const starts = () => printed.split('Server running at').length - 1
  const { Client } = await import(pathToFileURL(join(folder, 'node_modules/@langchain/langgraph-sdk/dist/index.js')).href)
  await eventually(`the server starts\n${printed}`, async () => starts() > 0 && (await answers()))
  return {
    as: (name) =>
      new Client({ apiUrl, apiKey: null, defaultHeaders: { authorization: `Bearer token-of-${name}` }, callerOptions: { maxRetries: 0 } }),
    printed: () => printed,
    reload: async (change) => {
      const before = starts()
      await change()
      await eventually('the server loads the app again', async () => starts() > before && (await answers()))
    },
    stop: async () => {
      server.kill('SIGTERM')
      await ended
      await eventually('the server stops', async () => !(await answers()))
    },
    kill: async () => {
      try {
        process.kill(-(server.pid ?? 0), 'SIGKILL')
      } catch {
        // It has ended by itself.
      }
      await ended
    },
  }
}
