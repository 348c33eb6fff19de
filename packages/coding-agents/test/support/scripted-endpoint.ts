/** A model at 127.0.0.1 that answers by a script, in the protocols of Anthropic's Messages, OpenAI's Responses and Google's Gemini, and keeps every request. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { asList, asRecord, asText } from '@hermes/core/adapter'
import { answerGemini, fromGemini, isGeminiPath } from './gemini-protocol.ts'
import type { Block, Script, ScriptedRequest } from './script.ts'

export interface ScriptedEndpoint {
  readonly url: string
  readonly requests: readonly ScriptedRequest[]
  close(): Promise<void>
}

const textOf = (content: unknown): string =>
  typeof content === 'string'
    ? content
    : asList(content)
        .map(asRecord)
        .map((part) => asText(part['text']) || (part['type'] === 'tool_result' ? textOf(part['content']) : ''))
        .join('\n')

const toRequest = (body: Readonly<Record<string, unknown>>): ScriptedRequest => {
  const said = asList(body['messages'])
    .map(asRecord)
    .filter(({ role }) => role === 'user')
  const last = said.at(-1)?.['content']
  return {
    body,
    system: textOf(body['system']),
    last: textOf(last),
    said: said.map(({ content }) => textOf(content)).join('\n'),
    tools: asList(body['tools']).map((tool) => asText(asRecord(tool)['name'])),
    isResult: asList(last).some((part) => asRecord(part)['type'] === 'tool_result'),
  }
}

/** Of OpenAI's Responses. */
const fromResponses = (body: Readonly<Record<string, unknown>>): ScriptedRequest => {
  const items = asList(body['input']).map(asRecord)
  const said = items.filter(({ role }) => role === 'user').map(({ content }) => textOf(content))
  const last = items.at(-1)
  return {
    body,
    system: items.flatMap(({ role, content }) => (role === 'developer' ? textOf(content) : [])).join('\n'),
    last: last?.['type'] === 'function_call_output' ? asText(last['output']) : (said.at(-1) ?? ''),
    said: said.join('\n'),
    // One of Codex is always there, and answers nothing here.
    tools: asList(body['tools'])
      .map((tool) => asText(asRecord(tool)['name']))
      .filter((name) => name !== '' && name !== 'request_user_input'),
    isResult: last?.['type'] === 'function_call_output',
  }
}

const answerResponses = (response: ServerResponse, { body }: ScriptedRequest, blocks: readonly Block[]): void => {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  const send = (type: string, data: object) => response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`)
  const id = newId('resp')
  send('response.created', { response: { id } })
  for (const [index, block] of blocks.entries()) {
    const item =
      block.type === 'text'
        ? { type: 'message', role: 'assistant', id: newId('msg'), content: [{ type: 'output_text', text: block.text, annotations: [] }] }
        : { type: 'function_call', id: newId('fc'), call_id: newId('call'), name: block.name, arguments: JSON.stringify(block.input) }
    send('response.output_item.done', { output_index: index, item })
  }
  const [input, output] = [tokensIn(body), tokensIn(blocks)]
  const usage = {
    ...{ input_tokens: input, input_tokens_details: { cached_tokens: 0 } },
    ...{ output_tokens: output, output_tokens_details: { reasoning_tokens: 0 }, total_tokens: input + output },
  }
  send('response.completed', { response: { id, usage } })
  response.end()
}

const bodyOf = async (request: IncomingMessage): Promise<string> => {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  return Buffer.concat(chunks).toString('utf8')
}

const json = (response: ServerResponse, status: number, value: unknown): void => {
  response.writeHead(status, { 'content-type': 'application/json' })
  response.end(JSON.stringify(value))
}

let made = 0
const newId = (kind: string): string => `${kind}_${++made}`

/** As many tokens as a real model would count, so that shares of the cost are those of real use. */
const tokensIn = (value: unknown): number => Math.ceil(JSON.stringify(value).length / 4)

const answer = (response: ServerResponse, { body }: ScriptedRequest, blocks: readonly Block[]): void => {
  const content = blocks.map((block) => (block.type === 'tool_use' ? { ...block, id: newId('toolu') } : block))
  const stop = blocks.some(({ type }) => type === 'tool_use') ? 'tool_use' : 'end_turn'
  const usage = {
    input_tokens: tokensIn(body),
    output_tokens: tokensIn(content),
    cache_read_input_tokens: 0,
    cache_creation_input_tokens: 0,
  }
  const message = { id: newId('msg'), type: 'message', role: 'assistant', model: body['model'], stop_sequence: null, usage }
  if (body['stream'] !== true) {
    json(response, 200, { ...message, content, stop_reason: stop })
    return
  }
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  const send = (type: string, data: object) => response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`)
  send('message_start', { message: { ...message, content: [], stop_reason: null } })
  for (const [index, block] of content.entries()) {
    const isText = block.type === 'text'
    send('content_block_start', { index, content_block: isText ? { type: 'text', text: '' } : { ...block, input: {} } })
    const delta = isText
      ? { type: 'text_delta', text: block.text }
      : { type: 'input_json_delta', partial_json: JSON.stringify(block.input) }
    send('content_block_delta', { index, delta })
    send('content_block_stop', { index })
  }
  send('message_delta', { delta: { stop_reason: stop, stop_sequence: null }, usage: { output_tokens: usage.output_tokens } })
  send('message_stop', {})
  response.end()
}

export const scriptedEndpoint = async (script: Script): Promise<ScriptedEndpoint> => {
  const requests: ScriptedRequest[] = []
  const server = createServer(async (incoming, response) => {
    const path = incoming.url ?? ''
    if (path.includes('count_tokens')) return json(response, 200, { input_tokens: 10 })
    const [isResponses, isGemini] = [path.startsWith('/v1/responses'), isGeminiPath(path)]
    if (!isResponses && !isGemini && !path.startsWith('/v1/messages')) return json(response, 404, {})
    const body = asRecord(JSON.parse(await bodyOf(incoming)))
    const request = isResponses ? fromResponses(body) : isGemini ? fromGemini(body) : toRequest(body)
    requests.push(request)
    const said = script(request)
    const blocks: readonly Block[] = typeof said === 'string' ? [{ type: 'text', text: said }] : said
    if (isResponses) answerResponses(response, request, blocks)
    else if (isGemini) answerGemini(response, request, blocks, { isStream: path.includes(':stream'), tokensIn })
    else answer(response, request, blocks)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
