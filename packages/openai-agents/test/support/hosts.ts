/** Small host applications for the conformance suite: one that waits for whole answers, and one that streams. */
import { asRecord } from '@hermes/core/adapter'
import type { AdapterHost, CreateAdapterHost, SendOptions } from '@hermes/testing'
import type { AgentInputItem } from '@openai/agents'
import { hermesTools, runWithHermes, withHermes } from '../../src/index.ts'
import type { Release } from './releases.ts'
import { scriptedModel, user } from './scripted-model.ts'

export type EntryPoint = 'getResponse' | 'getStreamedResponse'

const unavailable = (error: Error): Error => Object.assign(error, { status: 503 })

export const createHostFor =
  ({ sdk, retries }: Release, entry: EntryPoint): CreateAdapterHost =>
  (setup): AdapterHost => {
    const target = setup.homes ?? setup.hermes
    const own = Object.entries(setup.tools).map(([name, execute]) =>
      sdk.tool({
        name,
        description: name,
        strict: false,
        parameters: { type: 'object', properties: {}, required: [], additionalProperties: true },
        execute: (input: unknown) => execute(input),
        errorFunction: null,
      }),
    )
    const retry = {
      maxRetries: 2,
      backoff: { initialDelayMs: 1, maxDelayMs: 1 },
      policy: ({ error }: { readonly error: unknown }) => asRecord(error)['status'] === 503,
    }
    const agent = new sdk.Agent({
      name: 'host',
      instructions: setup.instructions,
      // The suite checks events, not warnings.
      model: withHermes(scriptedModel(sdk, { answer: setup.model, retryable: unavailable }), target, { onWarning: () => undefined }),
      modelSettings: retries ? { retry } : {},
      tools: [...own, ...hermesTools(target)],
    })

    const stream = async (input: AgentInputItem[], { signal, onChunk }: SendOptions) => {
      const result = await sdk.run(agent, input, { stream: true, ...(signal ? { signal } : {}) })
      for await (const event of result)
        if (event.type === 'raw_model_stream_event' && event.data.type === 'output_text_delta') onChunk?.(event.data.delta)
      await result.completed
      signal?.throwIfAborted()
      return result
    }

    const answer = (sessionId: string, input: AgentInputItem[], options: SendOptions) =>
      runWithHermes({ ...options.owner, sessionId }, async () => {
        const { signal } = options
        const result = entry === 'getResponse' ? await sdk.run(agent, input, signal ? { signal } : {}) : await stream(input, options)
        return { text: String(result.finalOutput ?? ''), history: result.history }
      })

    return {
      async send(sessionId, text, options = {}) {
        const conversation = options.owner === undefined ? sessionId : JSON.stringify([options.owner, sessionId])
        const known = (setup.conversations.get(conversation) ?? []) as readonly AgentInputItem[]
        const asked = known.findLastIndex((item) => 'role' in item && item.role === 'user')
        const input = options.regenerate === true ? known.slice(0, asked + 1) : [...known, user(text)]
        setup.conversations.set(conversation, input)
        const result = await answer(sessionId, input, options)
        setup.conversations.set(conversation, result.history)
        return { text: result.text }
      },
      ask: (sessionId, question, options = {}) => answer(sessionId, [user(question)], options),
    }
  }
