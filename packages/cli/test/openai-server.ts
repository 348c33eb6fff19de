/** An OpenAI-compatible server in this process: the test answers every request, and all requests are recorded. */
import { createServer, type IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import { onTestFinished } from 'vitest'

export interface ChatRequest {
  readonly model: string
  readonly tools?: readonly { readonly function: { readonly name: string } }[]
  readonly messages: readonly { readonly role: string; readonly content: unknown }[]
}

export interface OpenAiServer {
  /** For OPENAI_BASE_URL. */
  readonly url: string
  readonly requests: readonly ChatRequest[]
}

/** An answer that calls a tool. */
export interface ToolAnswer {
  readonly toolName: string
  readonly input: object
}

let calls = 0

const messageOf = (answer: string | ToolAnswer): object =>
  typeof answer === 'string'
    ? { role: 'assistant', content: answer }
    : {
        role: 'assistant',
        content: null,
        tool_calls: [
          { id: `call-${++calls}`, type: 'function', function: { name: answer.toolName, arguments: JSON.stringify(answer.input) } },
        ],
      }

/** About four characters a token, as for English text. */
const usageOf = (request: ChatRequest, answer: string | ToolAnswer) => {
  const tools = request.tools === undefined ? 0 : JSON.stringify(request.tools).length
  const prompt = Math.ceil(request.messages.reduce((sum, { content }) => sum + String(content).length, tools) / 4)
  const completion = Math.ceil(JSON.stringify(answer).length / 4)
  return { prompt_tokens: prompt, completion_tokens: completion, total_tokens: prompt + completion }
}

const toCompletion = (answer: string | ToolAnswer, usage: object): string =>
  JSON.stringify({
    id: 'c',
    created: 0,
    model: 'm',
    object: 'chat.completion',
    choices: [{ index: 0, message: messageOf(answer), finish_reason: typeof answer === 'string' ? 'stop' : 'tool_calls' }],
    usage,
  })

/** Closed when the test ends. If `answer` returns a number, it is sent as the HTTP status. `countsTokens`: reports the tokens of the texts instead of 10. */
export const openServer = async (
  answer: (request: ChatRequest) => string | number | ToolAnswer,
  { countsTokens = false }: { readonly countsTokens?: boolean } = {},
): Promise<OpenAiServer> => {
  const requests: ChatRequest[] = []
  const respond = async (incoming: IncomingMessage): Promise<readonly [status: number, body: string]> => {
    const request: ChatRequest = JSON.parse(await text(incoming))
    requests.push(request)
    const told = answer(request)
    return typeof told === 'number'
      ? [told, JSON.stringify({ error: { message: 'No.', type: 'no' } })]
      : [200, toCompletion(told, countsTokens ? usageOf(request, told) : { prompt_tokens: 10, completion_tokens: 10, total_tokens: 20 })]
  }
  const server = createServer((incoming, response) => {
    void respond(incoming).then(([status, body]) => response.writeHead(status, { 'content-type': 'application/json' }).end(body))
  })
  onTestFinished(() => void server.close())
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The server has no port.')
  return { url: `http://127.0.0.1:${address.port}/v1`, requests }
}
