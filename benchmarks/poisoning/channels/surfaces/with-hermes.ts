/** `withHermes` of LangChain, in a tool loop of the host's own. */
import { createHermes } from '@hermes/core'
import { hermesTools, withHermes } from '@hermes/langchain'
import type { AIMessageChunk, BaseMessage } from '@langchain/core/messages'
import { SystemMessage } from '@langchain/core/messages'
import type { StructuredToolInterface } from '@langchain/core/tools'
import type { NestedCall } from '../scene.ts'
import { inWindow, ofUser, runCall, textOfMessage, toTool } from './langchain-parts.ts'
import { ScriptedChatModel } from './scripted-chat-model.ts'
import { INSTRUCTIONS, type PlayOn, SESSION_ID } from './surface.ts'

const playWithHermes =
  (streams: boolean): PlayOn =>
  async ({ scene, reviewer, knowledge, options, begin }) => {
    const hermes = createHermes(options)
    await begin(hermes)
    const served = streams ? hermes : hermes.session(SESSION_ID)
    const inner = new ScriptedChatModel(reviewer, knowledge)
    const own = scene.ownTools === false ? [] : hermesTools(served)
    const mine = (scene.tools ?? []).map((tool) => toTool(tool, ask, own))
    const kept = own.filter(({ name }) => mine.every((tool) => tool.name !== name))
    const config = { configurable: { sessionId: SESSION_ID } }

    const answer = async (tools: readonly StructuredToolInterface[], prompt: BaseMessage[], byStream: boolean): Promise<AIMessageChunk> => {
      const model = withHermes(inner.bindTools([...tools]), served)
      if (!byStream) return model.invoke(prompt, config)
      let whole: AIMessageChunk | undefined
      for await (const chunk of await model.stream(prompt, config)) whole = whole === undefined ? chunk : whole.concat(chunk)
      if (whole === undefined) throw new Error('The stream was empty.')
      return whole
    }

    const converse = async (
      system: readonly BaseMessage[],
      start: readonly BaseMessage[],
      tools: readonly StructuredToolInterface[],
      byStream: boolean,
    ) => {
      const said = [...start]
      for (;;) {
        const message = await answer(tools, [...system, ...said], byStream)
        said.push(message)
        const calls = message.tool_calls ?? []
        if (calls.length === 0) return said
        for (const call of calls) said.push(await runCall(tools, call, config))
      }
    }

    async function ask({ system, messages, steps, streams: byStream = false, ownTools = false }: NestedCall): Promise<string> {
      inner.script.unshift(...steps)
      const instructions = system === undefined ? [] : [new SystemMessage(system)]
      const said = await converse(instructions, messages.flatMap(inWindow), ownTools ? [...kept, ...mine] : mine, byStream)
      return textOfMessage(said.at(-1))
    }

    let history: readonly BaseMessage[] = []
    for (const turn of scene.turns) {
      await turn.meanwhile?.(hermes)
      inner.script.splice(0, inner.script.length, ...turn.steps)
      const prompt = [...(turn.forgets ? [] : history), ...(turn.window ?? []).flatMap(inWindow), ofUser(turn.user)]
      history = await converse([new SystemMessage(scene.instructions ?? INSTRUCTIONS)], prompt, [...kept, ...mine], streams)
      await hermes.settled()
    }
    return hermes
  }

export const WITH_HERMES = {
  'langchain: withHermes, invoke': playWithHermes(false),
  'langchain: withHermes, stream': playWithHermes(true),
} as const
