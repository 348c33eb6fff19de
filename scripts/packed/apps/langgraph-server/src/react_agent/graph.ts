/** An agent in a graph of its own: the model and its tools in turn, until the model calls none. */
import { hermesTools, withHermes } from '@hermes/langchain'
import { isAIMessage } from '@langchain/core/messages'
import { END, type LangGraphRunnableConfig, MessagesAnnotation, START, StateGraph } from '@langchain/langgraph'
import { ToolNode } from '@langchain/langgraph/prebuilt'
import { initChatModel } from 'langchain'
import { homes } from '../hermes.ts'
import { TOOLS } from '../tools.ts'
import { ConfigurationAnnotation, readConfiguration } from './configuration.ts'

type State = typeof MessagesAnnotation.State

const tools = [...TOOLS, ...hermesTools(homes)]

const callModel = async ({ messages }: State, config: LangGraphRunnableConfig) => {
  const { model, systemPrompt } = readConfiguration(config)
  const chat = withHermes((await initChatModel(model)).bindTools(tools), homes)
  const content = systemPrompt.replace('{today}', new Date().toISOString().slice(0, 10))
  return { messages: [await chat.invoke([{ role: 'system', content }, ...messages], config)] }
}

const routeAnswer = ({ messages }: State) => {
  const last = messages.at(-1)
  return last !== undefined && isAIMessage(last) && last.tool_calls?.length ? 'tools' : END
}

export const graph = new StateGraph(MessagesAnnotation, ConfigurationAnnotation)
  .addNode('callModel', callModel)
  .addNode('tools', new ToolNode(tools))
  .addEdge(START, 'callModel')
  .addConditionalEdges('callModel', routeAnswer, ['tools', END])
  .addEdge('tools', 'callModel')
  .compile()
