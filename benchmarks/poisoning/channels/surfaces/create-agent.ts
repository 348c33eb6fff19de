/** The middleware for `createAgent` of LangChain. */
import { createHermes, createHermesHomes } from '@hermes/core'
import { hermesTools } from '@hermes/langchain'
import { hermesMiddleware } from '@hermes/langchain/agent'
import { type BaseMessage, ToolMessage } from '@langchain/core/messages'
import type { StructuredToolInterface } from '@langchain/core/tools'
import { createAgent, createMiddleware } from 'langchain'
import type { NestedCall } from '../scene.ts'
import { inWindow, ofUser, textOfMessage, toTool } from './langchain-parts.ts'
import { ScriptedChatModel } from './scripted-chat-model.ts'
import { INSTRUCTIONS, OWNER, type PlayOn, SESSION_ID } from './surface.ts'

/** What a tool throws becomes an error message, as hosts do it. */
const errorsAsMessages = createMiddleware({
  name: 'ErrorsAsMessages',
  wrapToolCall: async (request, handler) => {
    try {
      return await handler(request)
    } catch (cause) {
      const { id = '', name } = request.toolCall
      return new ToolMessage({ content: `Error: ${String(cause)}`, tool_call_id: id, name, status: 'error' })
    }
  },
})

const playAgent =
  (target: 'hermes' | 'homes'): PlayOn =>
  async ({ scene, reviewer, knowledge, options, begin }) => {
    const homes = target === 'homes' ? createHermesHomes(options) : undefined
    const hermes = homes?.for(OWNER) ?? createHermes(options)
    await begin(hermes)
    const served = homes ?? hermes
    const model = new ScriptedChatModel(reviewer, knowledge)
    const own = scene.ownTools === false ? [] : hermesTools(served)
    const mine = (scene.tools ?? []).map((tool) => toTool(tool, ask, own))
    const kept = own.filter(({ name }) => mine.every((tool) => tool.name !== name))
    // LangChain refuses two tools of one name, so such a host gives the session's tools itself.
    const clash = kept.length < own.length || own.length === 0
    const agentOf = (systemPrompt: string | undefined, tools: StructuredToolInterface[], ownTools: boolean) =>
      createAgent({
        model,
        tools: clash && ownTools ? [...kept, ...tools] : tools,
        middleware: [hermesMiddleware(served, { tools: ownTools && !clash }), errorsAsMessages],
        ...(systemPrompt === undefined ? {} : { systemPrompt }),
      })
    const config = { configurable: { thread_id: SESSION_ID, ...(homes ? { user_id: OWNER } : {}) } }
    const agent = agentOf(scene.instructions ?? INSTRUCTIONS, mine, true)

    async function ask({ system, messages, steps, ownTools = false }: NestedCall): Promise<string> {
      model.script.unshift(...steps)
      const answered = await agentOf(system, mine, ownTools).invoke({ messages: messages.flatMap(inWindow) }, config)
      return textOfMessage(answered.messages.at(-1))
    }

    let history: readonly BaseMessage[] = []
    for (const turn of scene.turns) {
      await turn.meanwhile?.(hermes)
      model.script.splice(0, model.script.length, ...turn.steps)
      const messages = [...(turn.forgets ? [] : history), ...(turn.window ?? []).flatMap(inWindow), ofUser(turn.user)]
      const answered = await agent.invoke({ messages }, config)
      history = answered.messages
      await hermes.settled()
    }
    return hermes
  }

export const CREATE_AGENT = {
  'langchain: createAgent, hermes': playAgent('hermes'),
  'langchain: createAgent, homes': playAgent('homes'),
} as const
