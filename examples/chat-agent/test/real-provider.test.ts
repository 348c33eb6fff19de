import { createServer, type IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import { expect, it, onTestFinished } from 'vitest'
import { z } from 'zod'
import { runChat, temporaryFolder } from './run-chat.ts'

const bodySchema = z.object({
  model: z.string(),
  stream: z.boolean().optional(),
  messages: z.array(z.object({ role: z.string(), content: z.unknown() })),
  tools: z.array(z.object({ function: z.object({ name: z.string() }) })).optional(),
})
type Body = z.infer<typeof bodySchema>

const chunk = (choice: unknown): string =>
  `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', created: 0, model: 'm', choices: [choice] })}\n\n`

/** Streams a short answer to each turn; proposes one fact to each review. */
const openServer = async (): Promise<{ url: string; bodies: Body[] }> => {
  const bodies: Body[] = []
  const answer = async (request: IncomingMessage): Promise<{ type: string; body: string }> => {
    const body = bodySchema.parse(JSON.parse(await text(request)))
    bodies.push(body)
    if (body.stream === true) {
      const words = ['Two ', 'words.'].map((content) => chunk({ index: 0, delta: { role: 'assistant', content }, finish_reason: null }))
      return {
        type: 'text/event-stream',
        body: `${words.join('')}${chunk({ index: 0, delta: {}, finish_reason: 'stop' })}data: [DONE]\n\n`,
      }
    }
    const proposal = {
      target: 'user',
      op: { action: 'add', content: 'User prefers short answers', oldText: null },
      rationale: '',
      score: 0.95,
      evidence: [{ messageId: 'm1', quote: 'I prefer short answers' }],
    }
    const content = `Here it is:\n\`\`\`json\n${JSON.stringify({ proposals: [proposal] })}\n\`\`\``
    const choices = [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }]
    return { type: 'application/json', body: JSON.stringify({ id: 'c', object: 'chat.completion', created: 0, model: 'm', choices }) }
  }
  const server = createServer((request, response) => {
    void answer(request).then(({ type, body }) => response.writeHead(200, { 'content-type': type }).end(body))
  })
  onTestFinished(() => void server.close())
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The server has no port.')
  return { url: `http://127.0.0.1:${address.port}/v1`, bodies }
}

it('runs the same loop through an OpenAI-compatible server', async () => {
  const { url, bodies } = await openServer()
  const run = await runChat({
    args: ['--home', temporaryFolder(), '--nudge', '2'],
    env: { OPENAI_BASE_URL: url, OPENAI_MODEL: 'small' },
    lines: ['I prefer short answers', 'hello', '/new', 'hello', '/quit'],
  })
  expect(run).toMatchObject({ code: 0, stderr: '' })
  expect(run.stdout).toContain(`model    small at ${url}`)
  expect(run.stdout.match(/^Two words\.$/gm)).toHaveLength(3)
  expect(run.stdout).toContain('· review after 2 turns: 1 applied, 0 rejected, 0 failed')

  const turns = bodies.filter((body) => body.stream === true)
  const systems = turns.map((body) => JSON.stringify(body.messages.filter((message) => message.role === 'system')))
  expect(turns[0]?.tools?.map((tool) => tool.function.name)).toEqual(['memory'])
  expect(systems[0]).toBe(systems[1])
  expect(systems[1]).not.toContain('short answers')
  expect(systems[2]).toContain('User prefers short answers')
  expect(bodies).toHaveLength(4)
})
