/** An OpenAI-compatible server in this process, so that a test sees what a real provider would get. */
import { createServer, type IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import { onTestFinished } from 'vitest'
import { z } from 'zod'

const bodySchema = z.object({
  model: z.string(),
  stream: z.boolean().optional(),
  messages: z.array(
    z.object({
      role: z.string(),
      content: z.unknown(),
      tool_calls: z.array(z.object({ function: z.object({ name: z.string(), arguments: z.string() }) })).nullish(),
    }),
  ),
  tools: z.array(z.object({ function: z.object({ name: z.string() }) })).optional(),
})

/** One request. Turns are streamed, reviews are not. */
export type Body = z.infer<typeof bodySchema>

export type Reply = { readonly text: string } | { readonly tool: string; readonly input: Readonly<Record<string, unknown>> }

const ABOUT = { id: 'c', created: 0, model: 'm' } as const

const chunk = (delta: unknown, finishReason: string | null): string =>
  `data: ${JSON.stringify({ ...ABOUT, object: 'chat.completion.chunk', choices: [{ index: 0, delta, finish_reason: finishReason }] })}\n\n`

const toStream = (reply: Reply, callId: string): string => {
  const parts =
    'text' in reply
      ? (reply.text.match(/\S+\s*/g) ?? []).map((content) => chunk({ role: 'assistant', content }, null))
      : [
          chunk(
            {
              role: 'assistant',
              tool_calls: [
                { index: 0, id: callId, type: 'function', function: { name: reply.tool, arguments: JSON.stringify(reply.input) } },
              ],
            },
            null,
          ),
        ]
  return `${parts.join('')}${chunk({}, 'text' in reply ? 'stop' : 'tool_calls')}data: [DONE]\n\n`
}

const toJson = (reply: Reply): string => {
  const content = 'text' in reply ? reply.text : ''
  const choices = [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }]
  return JSON.stringify({ ...ABOUT, object: 'chat.completion', choices })
}

/** Closed when the test ends. `bodies` fills up as requests come in. */
export const openServer = async (
  answer: (body: Body) => Reply | Promise<Reply>,
): Promise<{ readonly url: string; readonly bodies: readonly Body[] }> => {
  const bodies: Body[] = []
  const respond = async (request: IncomingMessage): Promise<{ readonly type: string; readonly body: string }> => {
    const body = bodySchema.parse(JSON.parse(await text(request)))
    bodies.push(body)
    const reply = await answer(body)
    return body.stream === true
      ? { type: 'text/event-stream', body: toStream(reply, `call-${bodies.length}`) }
      : { type: 'application/json', body: toJson(reply) }
  }
  const server = createServer((request, response) => {
    void respond(request).then(({ type, body }) => response.writeHead(200, { 'content-type': type }).end(body))
  })
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The server has no port.')
  return { url: `http://127.0.0.1:${address.port}/v1`, bodies }
}

export const systemOf = ({ messages }: Body): string => JSON.stringify(messages.filter(({ role }) => role === 'system'))
