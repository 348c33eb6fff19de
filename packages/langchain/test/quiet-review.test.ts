/** Reviews appear neither in the host's streams nor in its traces. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createHermes, type HostModel, inMemoryBackend } from '@hermes/core'
import { type ModelAnswer, type ModelCall, textAnswer } from '@hermes/testing'
import { BaseCallbackHandler } from '@langchain/core/callbacks/base'
import { awaitAllCallbacks } from '@langchain/core/callbacks/promises'
import { HumanMessage } from '@langchain/core/messages'
import { createAgent, createMiddleware } from 'langchain'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { hermesMiddleware } from '../src/agent.ts'
import { contentText } from '../src/content-text.ts'
import { hostModel, withHermes } from '../src/index.ts'
import { type QuietConfig, quietConfig } from '../src/quiet-config.ts'
import { ScriptedChatModel } from './support/scripted-chat-model.ts'

const TOKEN = 'reviewer-token'

/** Selects the part of the quiet configuration that reaches the model. */
type Keep = (config: QuietConfig) => object

const asIs: Keep = (config) => config
const onlyTags: Keep = ({ tags, signal }) => ({ tags, signal })
const onlyCallbacks: Keep = ({ callbacks, signal }) => ({ callbacks, signal })
const neither: Keep = ({ signal }) => ({ signal })

/** The text that a run streams in mode `messages`, which includes the reviewer's words if they leak; the run ends only after its review. */
const streamedText = async (keep: Keep): Promise<string> => {
  let reviewed = (): void => undefined
  const review = new Promise<void>((resolve) => {
    reviewed = resolve
  })
  const answer = async ({ purpose, messages }: ModelCall): Promise<ModelAnswer> => {
    const isReview = purpose === 'review' || messages.some((message) => message.text.includes('proposals'))
    if (!isReview) return textAnswer('Fine.')
    return textAnswer(TOKEN, '{"proposals":[]}')
  }
  const model = new ScriptedChatModel({ answer })
  const reviewer: HostModel = async (request) => {
    try {
      // The real reviewer, with parts of its configuration removed.
      const invoke: ScriptedChatModel['invoke'] = (messages, config) => model.invoke(messages, keep(config as QuietConfig))
      return await hostModel({ invoke })(request)
    } finally {
      reviewed()
    }
  }
  const hermes = createHermes({ storage: inMemoryBackend(), nudge: { memoryInterval: 1 }, review: { model: reviewer } })
  const waiting = { name: 'Waiting', afterAgent: () => review.then(() => undefined) }
  const agent = createAgent({ model, tools: [], middleware: [createMiddleware(waiting), hermesMiddleware(hermes)] })
  let streamed = ''
  const run = await agent.stream({ messages: [new HumanMessage('Hello')] }, { streamMode: 'messages', configurable: { thread_id: 'chat' } })
  for await (const [message] of run) streamed += contentText(message.content)
  await hermes.settled()
  return streamed
}

describe('a host that streams messages', () => {
  it('sees no token of the reviewer', async () => {
    const streamed = await streamedText(asIs)
    expect(streamed).toContain('Fine.')
    expect(streamed).not.toContain(TOKEN)
  })

  it('would see them without the tags and the callbacks, and is spared by each of them alone', async () => {
    expect(await streamedText(neither)).toContain(TOKEN)
    expect(await streamedText(onlyTags)).not.toContain(TOKEN)
    expect(await streamedText(onlyCallbacks)).not.toContain(TOKEN)
  })
})

describe('a handler on the host’s model itself', () => {
  it('is told by the tag that a call is not the user’s, as LangGraph’s own handler is', async () => {
    const tokens: string[] = []
    class Listener extends BaseCallbackHandler {
      override name = 'listener'
      #quiet = new Set<string>()

      override handleChatModelStart(...[, , runId, , , tags]: Parameters<NonNullable<BaseCallbackHandler['handleChatModelStart']>>) {
        if (tags?.includes('nostream')) this.#quiet.add(runId)
      }

      override handleLLMEnd(...[output, runId]: Parameters<NonNullable<BaseCallbackHandler['handleLLMEnd']>>) {
        if (!this.#quiet.has(runId)) tokens.push(String(output.generations[0]?.[0]?.text))
      }
    }
    const answer = async ({ purpose }: ModelCall): Promise<ModelAnswer> =>
      textAnswer(purpose === 'review' ? `${TOKEN}{"proposals":[]}` : 'Fine.')
    const model = new ScriptedChatModel({ answer })
    model.callbacks = [new Listener()]
    const hermes = createHermes({ storage: inMemoryBackend(), nudge: { memoryInterval: 1 } })
    await withHermes(model, hermes.session('chat')).invoke('Hello')
    await hermes.settled()
    expect(model.reviewConfigs).toHaveLength(1)
    expect(tokens).toEqual(['Fine.'])
  })
})

describe('tracing that is switched on in the environment', () => {
  afterEach(() => vi.unstubAllEnvs())

  it('records the user’s calls and no review', async () => {
    const bodies: string[] = []
    const server = createServer((request, response) => {
      let body = ''
      request.setEncoding('utf8').on('data', (chunk: string) => {
        body += chunk
      })
      request.on('end', () => {
        if (request.method === 'POST') bodies.push(body)
        response.setHeader('content-type', 'application/json').end('{}')
      })
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    vi.stubEnv('LANGSMITH_TRACING', 'true')
    vi.stubEnv('LANGSMITH_ENDPOINT', `http://127.0.0.1:${port}`)
    vi.stubEnv('LANGSMITH_API_KEY', 'local')
    vi.stubEnv('LANGSMITH_TRACING_BACKGROUND', 'false')
    vi.stubEnv('LANGCHAIN_CALLBACKS_BACKGROUND', 'false')
    const answer = async ({ purpose }: ModelCall): Promise<ModelAnswer> =>
      textAnswer(purpose === 'review' ? `${TOKEN}{"proposals":[]}` : 'Fine.')
    const model = new ScriptedChatModel({ answer })
    try {
      await hostModel(model)({
        purpose: 'review',
        mode: 'digest',
        system: '',
        messages: [{ role: 'user', content: 'A review.' }],
        schema: {},
        maxOutputTokens: 9,
        signal: new AbortController().signal,
      })
      await model.invoke('A call of the host’s own.')
      await awaitAllCallbacks()
      await vi.waitFor(() => expect(bodies.join('')).toContain('own.'), { timeout: 10_000 })
      expect(bodies.join('')).not.toContain('A review.')
    } finally {
      server.closeAllConnections()
      server.close()
    }
  })
})

it('makes a configuration of its own for each review', () => {
  const { signal } = new AbortController()
  expect(quietConfig(signal).callbacks[0]).not.toBe(quietConfig(signal).callbacks[0])
})
