/** An HTTP server with the OpenAI chat API, including streaming, whose answers come from the suite. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { asList, asRecord, asText } from '@hermes/core/adapter'
import type { AdapterHostSetup, ModelAnswer, ModelCall } from '@hermes/testing'
import { contentText } from '../../src/content-text.ts'

export interface ModelServer {
  readonly url: string
  /** Request bodies as received, in order. */
  readonly bodies: readonly string[]
  stop(): Promise<void>
}

const readBody = async (request: IncomingMessage): Promise<string> => {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(Buffer.from(part))
  return Buffer.concat(parts).toString('utf8')
}

const ROLES: Readonly<Record<string, string>> = { user: 'user', assistant: 'assistant', tool: 'tool' }

const toCall = (body: Readonly<Record<string, unknown>>, instructions: string, signal: AbortSignal): ModelCall => {
  const messages = asList(body['messages']).map(asRecord)
  const textOf = (message: Readonly<Record<string, unknown>>) => contentText(message['content'], '\n\n')
  const system = messages.filter(({ role }) => role === 'system' || role === 'developer').map(textOf)
  const said = messages
    .filter(({ role }) => asText(role) in ROLES)
    .map((message) => ({ role: asText(message['role']), text: textOf(message) }))
  // Nothing in a request marks a review; only a turn contains the host's own system prompt.
  const purpose = system.join('').includes(instructions) ? 'turn' : 'review'
  return { purpose, system: system.join('\n\n'), messages: said, signal }
}

const chunk = (delta: object, finish_reason: string | null = null): string =>
  `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm', choices: [{ index: 0, delta, finish_reason }] })}\n\n`

/** The same for every answer. */
const USAGE = { prompt_tokens: 100, completion_tokens: 7, total_tokens: 107, prompt_tokens_details: { cached_tokens: 80 } }

const usageChunk = `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm', choices: [], usage: USAGE })}\n\n`

const fail = (response: ServerResponse, status: number, message: string): void => {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify({ error: { message, type: 'scripted' } }))
}

const stream = async (response: ServerResponse, answer: Extract<ModelAnswer, { type: 'text' }>): Promise<void> => {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  response.write(chunk({ role: 'assistant', content: '' }))
  try {
    for await (const content of answer.chunks) response.write(chunk({ content }))
    response.end(`${chunk({}, 'stop')}${usageChunk}data: [DONE]\n\n`)
  } catch (error) {
    // A provider that fails in the middle reports it in the stream.
    response.end(`data: ${JSON.stringify({ error: { message: error instanceof Error ? error.message : String(error) } })}\n\n`)
  }
}

const whole = async (response: ServerResponse, answer: Extract<ModelAnswer, { type: 'text' }>): Promise<void> => {
  let content = ''
  try {
    for await (const piece of answer.chunks) content += piece
  } catch (error) {
    fail(response, 400, error instanceof Error ? error.message : String(error))
    return
  }
  const choices = [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }]
  response.writeHead(200, { 'content-type': 'application/json' })
  response.end(JSON.stringify({ id: 'c', object: 'chat.completion', created: 1, model: 'm', choices, usage: USAGE }))
}

export const startModelServer = async ({ model, instructions }: Pick<AdapterHostSetup, 'model' | 'instructions'>): Promise<ModelServer> => {
  const bodies: string[] = []
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const text = await readBody(request)
    bodies.push(text)
    const left = new AbortController()
    response.on('close', () => left.abort(new Error('the client hung up')))
    const body = asRecord(JSON.parse(text))
    const decided = await model(toCall(body, instructions, left.signal))
    if (decided.type === 'error') fail(response, decided.retryable ? 503 : 400, decided.error.message)
    else if (decided.type === 'tool-call') fail(response, 400, 'This server offers no tools.')
    else await (body['stream'] === true ? stream : whole)(response, decided)
  }
  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => response.destroy(error instanceof Error ? error : undefined))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/v1`,
    bodies,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
