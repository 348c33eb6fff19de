/** The app in `apps/ai-chatbot`, installed by npm from the packed packages, built, and started; and the people who use it. */
import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { cp } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'vitest'
import { freePort } from '../support/free-port.ts'
import { createReader, type Reader, userEnvironment } from './reader.ts'

const PACKAGES = [
  ...['@hermes/core', '@hermes/ai-sdk', '@hermes/postgres'],
  ...['ai@7', '@ai-sdk/openai@4', '@ai-sdk/react@4', 'zod@4', 'next@16', 'react@19', 'react-dom@19', 'pg@8'],
  ...['typescript@5', '@types/node@24', '@types/pg@8', '@types/react@19', '@types/react-dom@19'],
]

const nextOf = (reader: Reader): string => join(reader.folder, 'node_modules/next/dist/bin/next')

/** `next build` also checks the types. */
export const buildChatbot = async (): Promise<Reader> => {
  const reader = await createReader()
  await reader.install(PACKAGES)
  await cp(join(import.meta.dirname, 'apps/ai-chatbot'), reader.folder, { recursive: true })
  await reader.execute('node', [nextOf(reader), 'build'], { NEXT_TELEMETRY_DISABLED: '1' })
  return reader
}

export interface Chatbot {
  readonly url: string
  /** What the server reported as wrong; empty if nothing is. */
  readonly errors: () => string
  /** Ends the process, as a crash or as a deployment does. */
  readonly stop: (signal: 'SIGKILL' | 'SIGTERM') => Promise<void>
}

export const startChatbot = async (reader: Reader, env: Readonly<Record<string, string>>): Promise<Chatbot> => {
  const port = await freePort()
  const server = spawn('node', [nextOf(reader), 'start', '--port', `${port}`, '--hostname', '127.0.0.1'], {
    cwd: reader.folder,
    env: { ...userEnvironment(reader.home), NEXT_TELEMETRY_DISABLED: '1', ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const ended = once(server, 'exit')
  let errors = ''
  server.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors += text
  })
  const url = `http://127.0.0.1:${port}`
  for (let attempt = 0; ; attempt++) {
    try {
      expect((await fetch(url)).status).toBe(200)
      break
    } catch (cause) {
      if (attempt === 150 || server.exitCode !== null) throw new Error(`The app did not start: ${errors}`, { cause })
      await new Promise((resolve) => setTimeout(resolve, 200))
    }
  }
  return {
    url,
    errors: () => errors,
    stop: async (signal) => {
      server.kill(signal)
      await ended
    },
  }
}

interface Part {
  readonly type: string
  readonly state?: string
  readonly approval?: { readonly id: string; readonly approved?: boolean }
  readonly text?: string
  readonly output?: unknown
}

export interface Message {
  readonly id: string
  readonly role: 'user' | 'assistant'
  readonly parts: readonly Part[]
}

/** What a stream brings, by the types of its parts; the text as one. */
export interface Answer {
  readonly status: number
  readonly text: string
  readonly types: readonly string[]
  readonly body: string
}

const readAnswer = async (response: Response): Promise<Answer> => {
  const body = await response.text()
  const chunks = [...body.matchAll(/^data: (\{.*)$/gm)].map(([, json = '']) => JSON.parse(json))
  const text = chunks.map(({ type, delta }) => (type === 'text-delta' ? delta : '')).join('')
  return { status: response.status, text, types: chunks.map(({ type }) => type), body }
}

const userMessage = (text: string, id: string = randomUUID()): Message => ({ id, role: 'user', parts: [{ type: 'text', text }] })

/** Somebody at a browser: it keeps the cookie, and asks as the page of the app does. */
export class Visitor {
  readonly #url: () => string
  readonly #model: string
  #cookie = ''

  constructor(url: () => string, model = 'chat-model') {
    this.#url = url
    this.#model = model
  }

  async request(method: string, path: string, body?: unknown): Promise<Response> {
    const headers = { cookie: this.#cookie, 'content-type': 'application/json', 'x-vercel-ip-city': 'Bergen', 'x-vercel-ip-country': 'NO' }
    const response = await fetch(`${this.#url()}${path}`, {
      method,
      headers,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const [cookie] = response.headers.getSetCookie()
    if (cookie !== undefined) this.#cookie = cookie.split(';', 1)[0] ?? ''
    return response
  }

  /** Resolves to the id of the user. */
  async beGuest(): Promise<string> {
    return (await (await this.request('POST', '/api/auth/guest')).json()).id
  }

  async register(email: string): Promise<string> {
    return (await (await this.request('POST', '/api/auth/register', { email })).json()).id
  }

  async #post(id: string, said: object): Promise<Answer> {
    const body = { id, ...said, selectedChatModel: this.#model, selectedVisibilityType: 'private' }
    return readAnswer(await this.request('POST', '/api/chat', body))
  }

  say(chat: string, text: string): Promise<Answer> {
    return this.#post(chat, { message: userMessage(text) })
  }

  async messages(chat: string): Promise<readonly Message[]> {
    return (await this.request('GET', `/api/messages?chat=${chat}`)).json()
  }

  /** Says the message of this number in other words; the newest part of the conversation from there is gone. */
  async edit(chat: string, number: number, text: string): Promise<Answer> {
    const edited = (await this.messages(chat)).filter(({ role }) => role === 'user')[number - 1]
    await this.request('DELETE', `/api/messages?chat=${chat}&message=${edited?.id}`)
    return this.#post(chat, { message: userMessage(text, edited?.id) })
  }

  /** Has the newest message answered anew. */
  async regenerate(chat: string): Promise<Answer> {
    const [question, answer] = (await this.messages(chat)).slice(-2)
    await this.request('DELETE', `/api/messages?chat=${chat}&message=${answer?.id}`)
    return this.#post(chat, { message: question })
  }

  /** Allows or denies the tool that waits for it. */
  async decide(chat: string, approved: boolean): Promise<Answer> {
    const decided = (await this.messages(chat)).map((message) => ({
      ...message,
      parts: message.parts.map((part) =>
        part.state === 'approval-requested' ? { ...part, state: 'approval-responded', approval: { ...part.approval, approved } } : part,
      ),
    }))
    return this.#post(chat, { messages: decided })
  }
}
