/** Small applications on LCEL, with `withHermes` around the model of a pipe. */
import type { AdapterCapabilities, AdapterHost, AdapterHostSetup, CreateAdapterHost } from '@hermes/core/testing'
import type { BaseChatModel } from '@langchain/core/language_models/chat_models'
import { type BaseMessage, HumanMessage, SystemMessage } from '@langchain/core/messages'
import { StringOutputParser } from '@langchain/core/output_parsers'
import { ChatPromptTemplate, MessagesPlaceholder } from '@langchain/core/prompts'
import type { StructuredToolInterface } from '@langchain/core/tools'
import { contentText } from '../../src/content-text.ts'
import { hermesTools, withHermes } from '../../src/index.ts'
import { conversingHost } from './conversation.ts'
import { ScriptedChatModel } from './scripted-chat-model.ts'
import { toolsOf } from './setup-tools.ts'

export type LcelHost = 'invoke' | 'stream' | 'a tool loop of its own'

export const LCEL_HOSTS: readonly LcelHost[] = ['invoke', 'stream', 'a tool loop of its own']

export const lcelCapabilities = (way: LcelHost): AdapterCapabilities => ({
  streaming: way === 'stream',
  toolLoop: way === 'a tool loop of its own',
})

/** The host's model; the suite's own where none is given. */
export type CreateModel = (setup: AdapterHostSetup) => BaseChatModel | Promise<BaseChatModel>

const scripted: CreateModel = ({ model }) => new ScriptedChatModel({ answer: model })

/** A model with tools bound to it, and the host's own loop around it. */
const loopingHost = (setup: AdapterHostSetup, model: BaseChatModel): AdapterHost => {
  const { hermes, instructions } = setup
  return conversingHost(setup, async ({ sessionId, text, history, options: { signal } }) => {
    const session = hermes.session(sessionId)
    const tools: readonly StructuredToolInterface[] = [...toolsOf(setup), ...hermesTools(session)]
    const bound = withHermes(model.bindTools?.([...tools]) ?? model, session)
    const asked = [...history, new HumanMessage(text)]
    const added: BaseMessage[] = []
    for (;;) {
      const answer = await bound.invoke([new SystemMessage(instructions), ...asked, ...added], signal === undefined ? {} : { signal })
      added.push(answer)
      const calls = answer.tool_calls ?? []
      if (calls.length === 0) return { text: contentText(answer.content), added }
      for (const call of calls) {
        const tool = tools.find(({ name }) => name === call.name)
        if (tool !== undefined) added.push(await tool.invoke({ ...call, type: 'tool_call' }))
      }
    }
  })
}

export const lcelHost =
  (way: LcelHost, createModel: CreateModel = scripted): CreateAdapterHost =>
  async (setup) => {
    const { hermes, instructions } = setup
    const model = await createModel(setup)
    if (way === 'a tool loop of its own') return loopingHost(setup, model)
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
