/** An HTTP server that answers every call with the same text and token counts, in the format of each of the three APIs. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface CountingServer {
  /** Base URL for a provider. */
  readonly url: string
  stop(): Promise<void>
}

/** 100 tokens in, 80 of them cached, 7 out. */
const answers = (text: string): Readonly<Record<string, object>> => ({
  '/v1/chat/completions': {
    id: 'c',
    object: 'chat.completion',
    created: 1,
    model: 'answering-1',
    choices: [{ index: 0, message: { role: 'assistant', content: text }, finish_reason: 'stop' }],
    usage: { prompt_tokens: 100, completion_tokens: 7, total_tokens: 107, prompt_tokens_details: { cached_tokens: 80 } },
  },
  '/v1/responses': {
    id: 'r',
    object: 'response',
    created_at: 1,
    status: 'completed',
    model: 'answering-1',
    output: [
      { type: 'message', id: 'm', role: 'assistant', status: 'completed', content: [{ type: 'output_text', text, annotations: [] }] },
    ],
    usage: {
      input_tokens: 100,
      input_tokens_details: { cached_tokens: 80 },
      output_tokens: 7,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: 107,
    },
  },
  '/v1/messages': {
    id: 'm',
    type: 'message',
    role: 'assistant',
    model: 'answering-1',
    content: [{ type: 'text', text }],
    stop_reason: 'end_turn',
    stop_sequence: null,
    usage: { input_tokens: 12, cache_creation_input_tokens: 8, cache_read_input_tokens: 80, output_tokens: 7 },
  },
})

export const countingServer = async (text: string): Promise<CountingServer> => {
  const server = createServer((request, response) => {
    request.resume()
    const answer = answers(text)[request.url ?? '']
    response.writeHead(answer ? 200 : 404, { 'content-type': 'application/json' }).end(JSON.stringify(answer ?? {}))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/v1`,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
