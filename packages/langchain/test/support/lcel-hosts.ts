/** Small applications on LCEL, with `withHermes` around the model of a pipe. */
import type { AdapterHostSetup, CreateAdapterHost } from '@hermes/core/testing'
import type { BaseChatModel } from '@langchain/core/language_models/chat_models'
import { StringOutputParser } from '@langchain/core/output_parsers'
import { ChatPromptTemplate, MessagesPlaceholder } from '@langchain/core/prompts'
import { withHermes } from '../../src/index.ts'
import { conversingHost } from './conversation.ts'
import { ScriptedChatModel } from './scripted-chat-model.ts'

export type LcelHost = 'invoke' | 'stream'

export const LCEL_HOSTS: readonly LcelHost[] = ['invoke', 'stream']

/** The host's model; the suite's own where none is given. */
export type CreateModel = (setup: AdapterHostSetup) => BaseChatModel | Promise<BaseChatModel>

const scripted: CreateModel = ({ model }) => new ScriptedChatModel({ answer: model })

export const lcelHost =
  (way: LcelHost, createModel: CreateModel = scripted): CreateAdapterHost =>
  async (setup) => {
    const { hermes, instructions } = setup
    const model = await createModel(setup)
    const prompt = ChatPromptTemplate.fromMessages([['system', instructions], new MessagesPlaceholder('history'), ['human', '{input}']])
    const parser = new StringOutputParser()
    const shared = prompt.pipe(withHermes(model, hermes)).pipe(parser)

    return conversingHost(setup, async ({ sessionId, text, history, options: { signal, onChunk } }) => {
      const values = { input: text, history: [...history] }
      const config = signal === undefined ? {} : { signal }
      if (way === 'invoke') return { text: await shared.invoke(values, { ...config, configurable: { sessionId } }) }
      const chain = prompt.pipe(withHermes(model, hermes.session(sessionId))).pipe(parser)
      let streamed = ''
      for await (const chunk of await chain.stream(values, config)) {
        streamed += chunk
        if (chunk !== '') onChunk?.(chunk)
      }
      return { text: streamed }
    })
  }
