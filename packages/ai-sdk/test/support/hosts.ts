/** Small host applications for the conformance suite, one for each entry point of the AI SDK. */
import type { AdapterHost, AdapterHostSetup, CreateAdapterHost, SendOptions } from '@hermes/testing'
import type { LanguageModel, ModelMessage } from 'ai'
import { z } from 'zod'
import { type HermesCallOptions, hermesMiddleware, hermesTools, withHermes } from '../../src/index.ts'
import { addedMessages, type Major } from './majors.ts'
import { scriptedModel } from './scripted-model.ts'

type Model = Exclude<LanguageModel, string>

export type EntryPoint = 'generateText' | 'streamText' | 'agent.generate' | 'agent.stream'

export const ENTRY_POINTS: readonly EntryPoint[] = ['generateText', 'streamText', 'agent.generate', 'agent.stream']

interface Answer {
  readonly text: string
  readonly messages: readonly ModelMessage[]
}

const retryable = (ai: Major['ai']) => (error: Error) =>
  new ai.APICallError({
    message: error.message,
    url: 'http://localhost',
    requestBodyValues: {},
    statusCode: 503,
    isRetryable: true,
    responseHeaders: { 'retry-after-ms': '1' },
  })

const readStream = async (stream: AsyncIterable<unknown>, onChunk: SendOptions['onChunk']): Promise<void> => {
  for await (const value of stream) {
    const part = value as { type: string; text?: string; error?: unknown }
    if (part.type === 'text-delta') onChunk?.(part.text ?? '')
    if (part.type === 'error') throw part.error
    if (part.type === 'abort') throw new Error('aborted')
  }
}

// The suite checks events, not warnings.
const silent = { onWarning: () => undefined }

const toolsOf = ({ tools }: AdapterHostSetup) =>
  Object.fromEntries(
    Object.entries(tools).map(([name, execute]) => [
      name,
      { description: name, inputSchema: z.looseObject({}), execute: (input: unknown) => execute(input) },
    ]),
  )

const answerWith = (major: Major, entry: EntryPoint, setup: AdapterHostSetup) => {
  const { ai, Agent } = major
  const inner = scriptedModel({ specification: major.specification, answer: setup.model, retryable: retryable(ai) }) as unknown as Model
  const target = setup.homes ?? setup.hermes
  const shared = ai.wrapLanguageModel({ model: inner as never, middleware: hermesMiddleware(target, silent) })
  // A server creates its tools once for all owners.
  const sharedTools = setup.homes && hermesTools(setup.homes)
  const stopWhen = ai.stepCountIs(8)
  const quiet = { onError: () => undefined }

  return async (sessionId: string, messages: ModelMessage[], { owner, signal, onChunk }: SendOptions): Promise<Answer> => {
    const common = { messages, ...(signal === undefined ? {} : { abortSignal: signal }) }
    const system = setup.instructions
    const tools = { ...toolsOf(setup), ...(sharedTools ?? hermesTools(setup.hermes.session(sessionId))) }
    const providerOptions = { hermes: { ...owner, sessionId } satisfies HermesCallOptions }
    switch (entry) {
      case 'generateText': {
        const result = await ai.generateText({ ...common, model: shared, system, tools, stopWhen, providerOptions })
        return { text: result.text, messages: await addedMessages(result) }
      }
      case 'streamText': {
        const model = withHermes(inner, setup.homes ?? setup.hermes.session(sessionId), silent)
        const result = ai.streamText({ ...common, ...quiet, model, system, tools, stopWhen, providerOptions })
        await readStream(result.fullStream, onChunk)
        return { text: await result.text, messages: await addedMessages(result) }
      }
      case 'agent.generate': {
        const agent = new Agent({ model: shared, instructions: system, ...{ system }, tools, stopWhen, providerOptions })
        const result = await agent.generate(common)
        return { text: result.text, messages: await addedMessages(result) }
      }
      case 'agent.stream': {
        const agent = new Agent({
          model: withHermes(inner, target, silent),
          instructions: system,
          ...{ system },
          ...quiet,
          tools,
          stopWhen,
          providerOptions,
        })
        const result = await agent.stream(common)
        await readStream(result.fullStream, onChunk)
        return { text: await result.text, messages: await addedMessages(result) }
      }
    }
  }
}

export const createHostFor =
  (major: Major, entry: EntryPoint): CreateAdapterHost =>
  (setup): AdapterHost => {
    const answer = answerWith(major, entry, setup)
    return {
      async send(sessionId, text, options = {}) {
        const conversation = options.owner === undefined ? sessionId : JSON.stringify([options.owner, sessionId])
        const known = (setup.conversations.get(conversation) ?? []) as readonly ModelMessage[]
        const asked = known.findLastIndex((message) => message.role === 'user')
        const messages: ModelMessage[] =
          options.regenerate === true ? known.slice(0, asked + 1) : [...known, { role: 'user', content: text }]
        setup.conversations.set(conversation, messages)
        const result = await answer(sessionId, messages, options)
        setup.conversations.set(conversation, [...messages, ...result.messages])
        return { text: result.text }
      },
      ask: (sessionId, question, options = {}) => answer(sessionId, [{ role: 'user', content: question }], options),
    }
  }
