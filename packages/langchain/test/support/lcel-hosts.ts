/** Small applications on LCEL, with `withHermes` around the model of a pipe. */
import type { OwnerId } from '@hermes/core/portability'
import type { AdapterCapabilities, AdapterHost, AdapterHostSetup, CreateAdapterHost } from '@hermes/testing'
import type { BaseChatModel } from '@langchain/core/language_models/chat_models'
import { type BaseMessage, HumanMessage, SystemMessage } from '@langchain/core/messages'
import { StringOutputParser } from '@langchain/core/output_parsers'
import { ChatPromptTemplate, MessagesPlaceholder } from '@langchain/core/prompts'
import type { StructuredToolInterface } from '@langchain/core/tools'
import { contentText } from '../../src/content-text.ts'
import { type HermesTarget, hermesTools, type IdentifiedHomes, withHermes } from '../../src/index.ts'
import { conversingHost, ownerKeys } from './conversation.ts'
import { ScriptedChatModel } from './scripted-chat-model.ts'
import { toolsOf } from './setup-tools.ts'

export type LcelHost = 'invoke' | 'stream' | 'a tool loop of its own'

export const LCEL_HOSTS: readonly LcelHost[] = ['invoke', 'stream', 'a tool loop of its own']

export const lcelCapabilities = (way: LcelHost): AdapterCapabilities => ({
  streaming: way === 'stream',
  toolLoop: way === 'a tool loop of its own',
})

/** The host's model. Default: the suite's own. */
export type CreateModel = (setup: AdapterHostSetup) => BaseChatModel | Promise<BaseChatModel>

const scripted: CreateModel = ({ model }) => new ScriptedChatModel({ answer: model })

/** A model with tools bound to it, inside the host's own tool loop. */
const loopingHost = (setup: AdapterHostSetup, model: BaseChatModel): AdapterHost => {
  const { hermes, homes, instructions } = setup
  const bind = (target: HermesTarget) => {
    const tools: readonly StructuredToolInterface[] = [...toolsOf(setup), ...hermesTools(target)]
    return { tools, bound: withHermes(model.bindTools?.([...tools]) ?? model, target) }
  }
  const shared = homes && bind(homes)
  return conversingHost(setup, async ({ sessionId, text, history, options: { signal, owner } }) => {
    const { tools, bound } = shared ?? bind(hermes.session(sessionId))
    const config = { configurable: { sessionId, ...ownerKeys(owner) }, ...(signal === undefined ? {} : { signal }) }
    const asked = [...history, new HumanMessage(text)]
    const added: BaseMessage[] = []
    for (;;) {
      const answer = await bound.invoke([new SystemMessage(instructions), ...asked, ...added], config)
      added.push(answer)
      const calls = answer.tool_calls ?? []
      if (calls.length === 0) return { text: contentText(answer.content), added }
      for (const call of calls) {
        const tool = tools.find(({ name }) => name === call.name)
        if (tool !== undefined) added.push(await tool.invoke({ ...call, type: 'tool_call' }, config))
      }
    }
  })
}

/** For a server that names users and chats under keys of its own. */
const identifySignedIn: IdentifiedHomes['identify'] = ({ configurable: { signedIn, chat } }) =>
  signedIn === undefined ? undefined : { owner: signedIn as OwnerId, sessionId: String(chat) }

export const lcelHost =
  (way: LcelHost, createModel: CreateModel = scripted): CreateAdapterHost =>
  async (setup) => {
    const { hermes, homes, instructions } = setup
    const model = await createModel(setup)
    if (way === 'a tool loop of its own') return loopingHost(setup, model)
    const prompt = ChatPromptTemplate.fromMessages([['system', instructions], new MessagesPlaceholder('history'), ['human', '{input}']])
    const parser = new StringOutputParser()
    const shared = prompt.pipe(withHermes(model, homes ?? hermes)).pipe(parser)
    const identified = homes && prompt.pipe(withHermes(model, { homes, identify: identifySignedIn })).pipe(parser)

    return conversingHost(setup, async ({ sessionId, text, history, options: { signal, onChunk, owner } }) => {
      const values = { input: text, history: [...history] }
      const config = signal === undefined ? {} : { signal }
      if (way === 'invoke') return { text: await shared.invoke(values, { ...config, configurable: { sessionId, ...ownerKeys(owner) } }) }
      const chain = identified ?? prompt.pipe(withHermes(model, hermes.session(sessionId))).pipe(parser)
      const named: Record<string, unknown> = homes === undefined ? {} : { signedIn: owner, chat: sessionId }
      let streamed = ''
      for await (const chunk of await chain.stream(values, { ...config, configurable: named })) {
        streamed += chunk
        if (chunk !== '') onChunk?.(chunk)
      }
      return { text: streamed }
    })
  }
