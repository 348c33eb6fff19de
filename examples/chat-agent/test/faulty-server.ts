/** An OpenAI-compatible server that fails in every way that providers do. */
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

const json =
  (status: number, message: string, headers: Readonly<Record<string, string>> = {}, code?: string) =>
  (response: ServerResponse) =>
    void response
      .writeHead(status, { 'content-type': 'application/json', ...headers })
      .end(JSON.stringify({ error: { message, type: 'error', ...(code ? { code } : {}) } }))

const html = (status: number) => (response: ServerResponse) =>
  void response.writeHead(status, { 'content-type': 'text/html' }).end('<html><body><h1>nginx</h1></body></html>')

const ABOUT = { id: 'c', created: 0, model: 'm', object: 'chat.completion.chunk' } as const

const chunk = (delta: unknown, finishReason: string | null = null): string =>
  `data: ${JSON.stringify({ ...ABOUT, choices: [{ index: 0, delta, finish_reason: finishReason }] })}\n\n`

const words = (text: string): string => chunk({ role: 'assistant', content: text })

const stream =
  (...parts: readonly string[]) =>
  (response: ServerResponse): void => {
    response.writeHead(200, { 'content-type': 'text/event-stream' }).write(parts.join(''))
  }

const tool = (name: string, args: string): string =>
  chunk({ role: 'assistant', tool_calls: [{ index: 0, id: 'call-1', type: 'function', function: { name, arguments: args } }] })

const TOO_LONG = "This model's maximum context length is 8192 tokens. However, your messages resulted in 12345 tokens."

/** What the server does with a request that streams. */
export const FAULTS = {
  'refused key': json(401, 'Incorrect API key provided'),
  'unknown model': json(404, 'The model `small` does not exist'),
  'context too long': json(400, TOO_LONG, {}, 'context_length_exceeded'),
  'other bad request': json(400, "Unknown parameter: 'stream_options'"),
  'too many requests': json(429, 'Rate limit reached', { 'retry-after': '1' }),
  'no credit': json(429, 'You exceeded your current quota', { 'retry-after-ms': '1' }, 'insufficient_quota'),
  'broken server': json(500, 'Internal error', { 'retry-after-ms': '1' }),
  'overloaded page': (response: ServerResponse) => html(503)(response.setHeader('retry-after-ms', '1')),
  reset: (response: ServerResponse) => void response.socket?.destroy(),
  stall: stream(words('One moment ')),
  cut: (response: ServerResponse) => {
    stream(words('Half an ans'))(response)
    setImmediate(() => response.socket?.destroy())
  },
  'ends early': (response: ServerResponse) => {
    stream(words('Half an ans'))(response)
    response.end()
  },
  'invalid JSON': (response: ServerResponse) => {
    stream(words('So far so good'), 'data: {broken json\n\n')(response)
    response.end()
  },
  'web page': html(200),
  'unknown tool': (response: ServerResponse) => {
    stream(tool('launch_rocket', '{}'), chunk({}, 'tool_calls'), 'data: [DONE]\n\n')(response)
    response.end()
  },
  'bad arguments': (response: ServerResponse) => {
    stream(tool('calculate', '{"expr'), chunk({}, 'tool_calls'), 'data: [DONE]\n\n')(response)
    response.end()
  },
  'empty answer': (response: ServerResponse) => {
    stream(chunk({ role: 'assistant', content: '' }), chunk({}, 'stop'), 'data: [DONE]\n\n')(response)
    response.end()
  },
} satisfies Readonly<Record<string, (response: ServerResponse) => void>>

export type Fault = keyof typeof FAULTS

const answers = (response: ServerResponse): void => {
  stream(words('All is well.'), chunk({}, 'stop'), 'data: [DONE]\n\n')(response)
  response.end()
}

/** Closed when the test ends. `faults`: of the first requests, in order; the last one stays, `undefined` answers well. */
export const openFaultyServer = async (faults: readonly (Fault | undefined)[]): Promise<string> => {
  let requests = 0
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      const fault = faults[Math.min(requests++, faults.length - 1)]
      if (fault === undefined) answers(response)
      else FAULTS[fault](response)
    })
  })
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return `http://127.0.0.1:${port}/v1`
}
