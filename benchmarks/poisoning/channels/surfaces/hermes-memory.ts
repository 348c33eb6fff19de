/** `HermesMemory` of LangChain, as an agent executor calls it: once before a turn, once behind it with the steps in between. */
import { createHermes } from '@hermes/core'
import { HermesMemory, hermesTools } from '@hermes/langchain'
import { BaseMemory, type InputValues, type MemoryVariables, type OutputValues } from '@langchain/core/memory'
import { AIMessage, type BaseMessage } from '@langchain/core/messages'
import { plainText, textsOfHost } from '../knowledge.ts'
import { inWindow, ofUser, runCall, textOfMessage, toTool } from './langchain-parts.ts'
import { ScriptedChatModel } from './scripted-chat-model.ts'
import { nextId, type PlayOn, SESSION_ID } from './surface.ts'

/** The history that the chain has anyway. */
class WindowMemory extends BaseMemory {
  messages: readonly BaseMessage[] = []
  readonly inputKey = 'input'
  readonly outputKey = 'output'

  override get memoryKeys(): string[] {
    return ['history']
  }

  override async loadMemoryVariables(): Promise<MemoryVariables> {
    return { history: this.messages.map((message) => `${message.type}: ${textOfMessage(message)}`).join('\n') }
  }

  override async saveContext({ input }: InputValues, { output }: OutputValues): Promise<void> {
    const said = typeof input === 'string' ? ofUser({ text: input }) : input
    this.messages = [...this.messages, said, new AIMessage(String(output))]
  }
}

export const hermesMemory: PlayOn = async ({ scene, reviewer, knowledge, options, begin }) => {
  const hermes = createHermes(options)
  await begin(hermes)
  const session = hermes.session(SESSION_ID)
  const own = scene.ownTools === false ? [] : hermesTools(session)
  const noNested = () => Promise.reject(new Error('The memory of a chain does not see runs inside tools.'))
  const mine = (scene.tools ?? []).map((tool) => toTool(tool, noNested, own))
  const tools = [...own.filter(({ name }) => mine.every((tool) => tool.name !== name)), ...mine]
  const window = new WindowMemory()
  const memory = new HermesMemory({ session, memory: window, model: new ScriptedChatModel(reviewer, knowledge) })
  for (const turn of scene.turns) {
    await turn.meanwhile?.(hermes)
    if (turn.forgets) window.messages = []
    window.messages = [...window.messages, ...(turn.window ?? []).flatMap(inWindow)]
    const { text, name, attachments } = turn.user
    const isPlain = name === undefined && attachments === undefined
    const inputs = { input: isPlain ? text : ofUser(turn.user) }
    const shown = await memory.loadMemoryVariables(inputs)
    knowledge.see(plainText([shown, text, attachments, textsOfHost(scene)]))
    const intermediateSteps: unknown[] = []
    let output = ''
    for (const scripted of turn.steps) {
      const step = knowledge.stepOf(scripted)
      output = step.kind === 'call' ? '' : step.text
      if (step.kind !== 'call') break
      const call = { id: step.id ?? nextId(), name: step.name, args: { ...step.input }, type: 'tool_call' } as const
      const { content } = await runCall(tools, call, {})
      knowledge.see(plainText(content))
      intermediateSteps.push({ action: { tool: step.name, toolInput: step.input, log: '' }, observation: content })
    }
    const steps = scene.hidesSteps === true ? {} : { intermediateSteps }
    await memory.saveContext(inputs, { output, ...steps })
    await hermes.settled()
  }
  return hermes
}
