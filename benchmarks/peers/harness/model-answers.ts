/** What the model answers, in the protocols of OpenAI and Anthropic. It is scripted: it calls the tools that it was told to call, and else says something. */
import type { ToolCall } from '../port.ts'
import { answerGemini, type GeminiBody, isGemini, isGeminiBackground } from './gemini.ts'
import { isObserver, observations, type Prompt } from './observer.ts'
import { answer } from './texts.ts'

/** What a request is answered with. */
export interface Plan {
  readonly calls: readonly ToolCall[]
  /** Facts that a background model finds in the conversation. */
  readonly found: readonly string[]
  /** Answers so far, so that each is another text. */
  readonly count: number
}

interface Body extends Prompt, GeminiBody {
  readonly model?: string
  readonly stream?: boolean
  readonly input?: string | readonly string[]
  readonly encoding_format?: string
}

/** The model of extraction and review, by the name that the peers' adapters give it. */
export const isBackground = (body: Body, path = ''): boolean => body.model === 'background' || isObserver(body) || isGeminiBackground(path)

interface Message {
  readonly tool_calls?: readonly object[]
}

const DIMENSIONS = 64

/** Words hashed into a vector of length one: texts that share words are near. */
const embed = (text: string): readonly number[] => {
  const vector = new Array<number>(DIMENSIONS).fill(0)
  for (const word of text.toLowerCase().match(/\p{L}+|\d+/gu) ?? []) {
    let hash = 7
    for (const letter of word) hash = (hash * 31 + (letter.codePointAt(0) ?? 0)) >>> 0
    vector[hash % DIMENSIONS] = (vector[hash % DIMENSIONS] ?? 0) + 1
  }
  const length = Math.hypot(...vector) || 1
  return vector.map((value) => value / length)
}

const embeddings = ({ input = '', encoding_format: format }: Body): unknown => ({
  object: 'list',
  model: 'embedding',
  usage: { prompt_tokens: 1, total_tokens: 1 },
  data: [input].flat().map((text, index) => {
    const vector = embed(text)
    const embedding = format === 'base64' ? Buffer.from(new Float32Array(vector).buffer).toString('base64') : vector
    return { object: 'embedding', index, embedding }
  }),
})

const findings = (found: readonly string[]): string =>
  JSON.stringify({ memory: found.map((text, id) => ({ id: `${id}`, text })), proposals: [] })

const openAi = (body: Body, { calls, found, count }: Plan): unknown => {
  const toolCalls = calls.map((call, at) => ({
    id: `call-${count}-${at}`,
    type: 'function',
    function: { name: call.name, arguments: JSON.stringify(call.arguments) },
  }))
  const said = isObserver(body) ? observations(body) : isBackground(body) ? findings(found) : answer(count)
  const content = toolCalls.length > 0 ? null : said
  const message = { role: 'assistant', content, ...(toolCalls.length > 0 && { tool_calls: toolCalls }) }
  const finish = toolCalls.length > 0 ? 'tool_calls' : 'stop'
  return {
    id: `answer-${count}`,
    object: 'chat.completion',
    created: 0,
    model: body.model,
    choices: [{ index: 0, message, finish_reason: finish, logprobs: null }],
    usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
  }
}

const anthropic = ({ model }: Body, { calls, count }: Plan): unknown => ({
  id: `answer-${count}`,
  type: 'message',
  role: 'assistant',
  model,
  content:
    calls.length > 0
      ? calls.map((call, at) => ({ type: 'tool_use', id: `call-${count}-${at}`, name: call.name, input: call.arguments }))
      : [{ type: 'text', text: answer(count) }],
  stop_reason: calls.length > 0 ? 'tool_use' : 'end_turn',
  stop_sequence: null,
  usage: { input_tokens: 1, output_tokens: 1 },
})

/** The same answer as OpenAI streams it: one event with all of the message, one with the end. */
const streamOf = (answered: unknown): string => {
  const { choices, usage, ...rest } = answered as { choices: readonly { message: Message; finish_reason: string }[]; usage: unknown }
  const [{ message, finish_reason } = { message: {}, finish_reason: 'stop' }] = choices
  const delta = { ...message, ...(message.tool_calls && { tool_calls: message.tool_calls.map((call, index) => ({ index, ...call })) }) }
  const chunks = [
    { ...rest, choices: [{ index: 0, delta, finish_reason: null }] },
    { ...rest, choices: [{ index: 0, delta: {}, finish_reason }] },
    { ...rest, choices: [], usage },
  ]
  return `${chunks.map((chunk) => `data: ${JSON.stringify({ ...chunk, object: 'chat.completion.chunk' })}\n\n`).join('')}data: [DONE]\n\n`
}

/** One answer, as a value. `path` of the request: ends in `/embeddings`, `/messages` or `/chat/completions`. */
export const answerTo = (path: string, body: Body, plan: Plan): unknown => {
  if (path.endsWith('/embeddings')) return embeddings(body)
  if (path.endsWith('/messages')) return anthropic(body, plan)
  if (path.endsWith('/chat/completions')) return openAi(body, plan)
  if (isGemini(path)) return answerGemini(path, body, plan)
  throw new TypeError(`The model has no ${path}.`)
}

/** An answer as it is sent: JSON, or the events of a stream if the peer asked for one. */
export const toResponse = (path: string, { stream }: Body, answered: unknown): Response => {
  const headers = { 'content-type': 'text/event-stream' }
  if (path.includes('alt=sse')) return new Response(`data: ${JSON.stringify(answered)}\n\n`, { headers })
  if (stream !== true) return Response.json(answered)
  if (!path.endsWith('/chat/completions')) throw new TypeError(`A peer asked for a stream of ${path}, which this model does not have.`)
  return new Response(streamOf(answered), { headers })
}
