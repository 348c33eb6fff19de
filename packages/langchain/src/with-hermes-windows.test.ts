import { InMemoryChatMessageHistory } from '@langchain/core/chat_history'
import { AIMessage, type BaseMessage, HumanMessage, trimMessages } from '@langchain/core/messages'
import { ChatPromptTemplate, MessagesPlaceholder } from '@langchain/core/prompts'
import { RunnableLambda, RunnableWithMessageHistory } from '@langchain/core/runnables'
import { describe, it } from 'vitest'
import { tenTurns } from '../test/support/ten-turns.ts'
import { withHermes } from './with-hermes.ts'

const call = { configurable: { sessionId: 'chat' } }

interface Values {
  readonly input: string
  readonly history?: BaseMessage[]
}

describe('a review reads all ten turns, the first ones included', () => {
  it.each([2, 3, 5])('of a host that shows a window of %i turns', async (turns) => {
    const { hermes, model, converse, expectAllRead } = tenTurns()
    const wrapped = withHermes(model, hermes)
    const said: BaseMessage[] = []
    await converse(async (text) => {
      said.push(new HumanMessage(text))
      const { content } = await wrapped.invoke(said.slice(-(2 * turns - 1)), call)
      said.push(new AIMessage(String(content)))
    })
    expectAllRead()
  })

  it.each([2, 3, 5])('of a history that is trimmed to %i turns', async (turns) => {
    const { hermes, model, converse, expectAllRead } = tenTurns()
    const history = new InMemoryChatMessageHistory()
    const tokenCounter = (messages: BaseMessage[]) => messages.length
    // The question of the current turn is not among them.
    const trimmer = trimMessages({ maxTokens: 2 * turns - 2, strategy: 'last', tokenCounter, startOn: 'human' })
    const trimmed = RunnableLambda.from(async ({ input, history: all = [] }: Values) => ({ input, history: await trimmer.invoke(all) }))
    const prompt = ChatPromptTemplate.fromMessages([['system', 'Be kind.'], new MessagesPlaceholder('history'), ['human', '{input}']])
    const chain = new RunnableWithMessageHistory({
      runnable: trimmed.pipe(prompt).pipe(withHermes(model, hermes)),
      getMessageHistory: () => history,
      inputMessagesKey: 'input',
      historyMessagesKey: 'history',
    })
    await converse((input) => chain.invoke({ input }, call))
    expectAllRead()
  })
})
