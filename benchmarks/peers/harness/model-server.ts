/** A model behind HTTP on this machine. Each run has a path of its own, a script of tool calls, and a log of its requests. */
import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import type { ToolCall } from '../port.ts'
import { answerTo, isBackground, toResponse } from './model-answers.ts'

/** What went to models beside the conversation, in characters of the requests and answers as they were sent. */
export interface Background {
  /** Of models; embeddings are not among them. */
  calls: number
  received: number
  given: number
  embedded: number
}

export interface Run {
  /** The requests of the conversation, each as the text that a provider's cache would see: tools, system prompt, messages. */
  readonly requests: string[]
  readonly background: Background
  planned: (readonly ToolCall[])[]
  found: readonly string[]
  /** By the id of its last answer. */
  readonly threads: Map<string, Prompt>
}

/** Milliseconds before the answer to a conversation: a model is never as fast as a function, and one peer orders messages by their time. */
const THINKING_MS = 25

export interface ModelServer {
  readonly url: string
  run(name: string): Run
  close(): Promise<void>
}

interface Prompt {
  readonly tools?: readonly unknown[]
  readonly system?: unknown
  readonly messages?: readonly unknown[]
  /** Google's names. */
  readonly systemInstruction?: unknown
  readonly contents?: readonly unknown[]
}

/** A request of Anthropic's SDK may continue a thread, which the provider stores: what the model reads is the thread and the new messages. */
interface Asked extends Prompt {
  readonly thread?: { readonly type: 'create' } | { readonly type: 'continue'; readonly previous_message_id: string }
}

const wholePrompt = (asked: Asked, threads: ReadonlyMap<string, Prompt>): Prompt => {
  if (asked.thread?.type !== 'continue') return asked
  const before = threads.get(asked.thread.previous_message_id)
  if (!before) throw new TypeError(`There is no thread with the message ${asked.thread.previous_message_id}.`)
  return { ...before, messages: [...(before.messages ?? []), ...(asked.messages ?? [])] }
}

const asText = ({ tools = [], system = '', systemInstruction = system, messages = [], contents = messages }: Prompt): string =>
  [...tools, systemInstruction, ...contents].map((part) => JSON.stringify(part)).join('\n')

const isAnswer = (answered: unknown): answered is { readonly id: string; readonly role: string; readonly content: unknown } =>
  typeof answered === 'object' && answered !== null && 'id' in answered && 'content' in answered && 'role' in answered

export const startModelServer = async (): Promise<ModelServer> => {
  const runs = new Map<string, Run>()
  const run = (name: string): Run => {
    const known = runs.get(name) ?? {
      requests: [],
      background: { calls: 0, received: 0, given: 0, embedded: 0 },
      planned: [],
      found: [],
      threads: new Map(),
    }
    runs.set(name, known)
    return known
  }
  const handle = async (path: string, body: string): Promise<Response> => {
    if (body === '') return Response.json({ object: 'list', data: [{ id: 'local', object: 'model' }] })
    const state = run(path.split('/')[1] ?? '')
    const asked = JSON.parse(body)
    const send = (answered: unknown): Response => toResponse(path, asked, answered)
    if (path.endsWith('/plan')) {
      state.planned = asked.planned
      state.found = asked.found
      return send({})
    }
    if (path.endsWith('/embeddings')) {
      state.background.embedded += body.length
      return send(answerTo(path, asked, { calls: [], found: [], count: 0 }))
    }
    if (isBackground(asked, path)) {
      const answered = answerTo(path, asked, { calls: [], found: state.found, count: 0 })
      state.found = []
      state.background.calls++
      state.background.received += body.length
      state.background.given += JSON.stringify(answered).length
      return send(answered)
    }
    await pause(THINKING_MS)
    const prompt = wholePrompt(asked, state.threads)
    state.requests.push(asText(prompt))
    const answered = answerTo(path, asked, { calls: state.planned.shift() ?? [], found: [], count: state.requests.length })
    if (isAnswer(answered)) {
      const { id, role, content } = answered
      state.threads.set(id, { ...prompt, messages: [...(prompt.messages ?? []), { role, content }] })
    }
    return send(answered)
  }
  const server = createServer(async (request, response) => {
    try {
      const answered = await handle(request.url ?? '', await text(request))
      response.writeHead(200, Object.fromEntries(answered.headers)).end(await answered.text())
    } catch (error) {
      response.writeHead(400, { 'content-type': 'application/json' }).end(JSON.stringify({ error: { message: String(error) } }))
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new TypeError('The model server has no port.')
  return {
    url: `http://127.0.0.1:${address.port}`,
    run,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
