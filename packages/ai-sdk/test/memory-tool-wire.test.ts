/** Claude's memory tool through the real Anthropic provider of each major, and through the tool helper of the Anthropic SDK, against a server that speaks the protocol. */
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createAnthropic } from '@ai-sdk/anthropic'
import { createAnthropic as createAnthropicV2 } from '@ai-sdk/anthropic-v2'
import { createAnthropic as createAnthropicV3 } from '@ai-sdk/anthropic-v3'
import Anthropic from '@anthropic-ai/sdk'
import { betaMemoryTool } from '@anthropic-ai/sdk/helpers/beta/memory'
import { createHermes, inMemoryBackend } from '@hermes/core'
import { hermesMemoryTool as memoryHandlers } from '@hermes/core/anthropic'
import { afterEach, describe, expect, it } from 'vitest'
import { hermesMemoryTool, withHermes } from '../src/index.ts'
import { MAJORS } from './support/majors.ts'

const PROVIDERS = { v2: createAnthropicV2, v3: createAnthropicV3, v4: createAnthropic } as unknown as Record<string, typeof createAnthropic>

type Block = Readonly<Record<string, unknown>>

const servers: Server[] = []
afterEach(() => {
  for (const server of servers.splice(0)) server.close()
})

/** Answers with these blocks, one request after the other. */
const claude = async (...answers: readonly Block[]) => {
  const bodies: { messages: { role: string; content: unknown }[]; tools?: Block[] }[] = []
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    bodies.push(JSON.parse(Buffer.concat(chunks).toString()))
    const block = answers[bodies.length - 1] ?? { type: 'text', text: 'Done.' }
    response.setHeader('content-type', 'application/json')
    response.end(
      JSON.stringify({
        id: `msg_${bodies.length}`,
        type: 'message',
        role: 'assistant',
        model: 'claude-scripted',
        content: [block],
        stop_reason: block['type'] === 'tool_use' ? 'tool_use' : 'end_turn',
        stop_sequence: null,
        usage: { input_tokens: 1, output_tokens: 1 },
      }),
    )
  })
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { bodies, origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

const uses = (id: string, input: Block): Block => ({ type: 'tool_use', id, name: 'memory', input })

const COMMANDS = [
  uses('a', { command: 'view', path: '/memories' }),
  uses('b', { command: 'insert', path: '/memories/USER.md', insert_line: 0, insert_text: '- Drinks tea\n' }),
  uses('c', { command: 'create', path: '/memories/../etc/passwd', file_text: 'x' }),
]

const resultsIn = (messages: readonly { readonly content: unknown }[] = []): readonly string[] =>
  messages
    .flatMap(({ content }) => (Array.isArray(content) ? content : []))
    .flatMap((part: Block) => {
      if (part['type'] !== 'tool_result') return []
      const { content } = part
      return [Array.isArray(content) ? String((content[0] as Block)['text']) : String(content)]
    })

const SHOWN = [
  expect.stringContaining('0B\t/memories/MEMORY.md\n0B\t/memories/USER.md'),
  'The file /memories/USER.md has been edited.',
  'Error: Only paths below /memories can be used.',
]

const SAID = 'Please note that I drink tea.'

describe.each(MAJORS)('the memory tool with $name', ({ ai, specification }) => {
  it('is called as the provider knows it; a command is the session’s, with the words of the turn', async () => {
    const { bodies, origin } = await claude(...COMMANDS)
    const anthropic = PROVIDERS[specification]?.({ baseURL: `${origin}/v1`, apiKey: 'local' })
    if (!anthropic) throw new Error(`There is no provider for ${specification}.`)
    const hermes = createHermes({ storage: inMemoryBackend() })
    const session = hermes.session('chat')
    const memory = anthropic.tools.memory_20250818(hermesMemoryTool(session))
    const model = withHermes(anthropic('claude-scripted'), session)
    const { text } = await ai.generateText({ model, prompt: SAID, tools: { memory }, stopWhen: ai.stepCountIs(6) })
    expect(text).toBe('Done.')
    expect(bodies[0]?.tools).toMatchObject([{ type: 'memory_20250818', name: 'memory' }])
    expect(resultsIn(bodies.at(-1)?.messages)).toEqual(SHOWN)
    const records = await hermes.journal.list()
    expect(records.ok && records.value).toMatchObject([{ kind: 'applied', origin: 'user', actor: 'agent', sessionId: 'chat' }])
  })
})

describe('the memory tool with the Anthropic SDK', () => {
  it('is its helper with our commands, run by its tool runner', async () => {
    const { bodies, origin } = await claude(...COMMANDS)
    const hermes = createHermes({ storage: inMemoryBackend() })
    const asked = [{ role: 'user' as const, text: SAID }]
    const memory = betaMemoryTool(memoryHandlers(hermes.session('chat'), { messages: () => asked }))
    const client = new Anthropic({ baseURL: origin, apiKey: 'local' })
    await client.beta.messages.toolRunner({
      model: 'claude-scripted',
      max_tokens: 1_000,
      messages: [{ role: 'user', content: SAID }],
      tools: [memory],
    })
    expect(bodies[0]?.tools).toEqual([{ type: 'memory_20250818', name: 'memory' }])
    expect(bodies.flatMap(({ messages }) => resultsIn(messages))).toEqual(SHOWN)
    const records = await hermes.journal.list()
    expect(records.ok && records.value).toMatchObject([{ kind: 'applied', origin: 'user', sessionId: 'chat' }])
  })
})
