/** A LangGraph agent with a long-term store and tools to save, replace and forget, as in its documentation. Nothing checks whose words are saved. */
import { AIMessage, type BaseMessage, HumanMessage, ToolMessage } from '@langchain/core/messages'
import { tool } from '@langchain/core/tools'
import { type BaseStore, END, getStore, InMemoryStore, MessagesAnnotation, START, StateGraph } from '@langchain/langgraph'
import { ToolNode } from '@langchain/langgraph/prebuilt'
import type { SessionTurns } from './conversation.ts'
import { judgeAttack, judgeHonest } from './judge-outcome.ts'
import { attackScene, honestScene, type Scene } from './scenes.ts'
import type { StoredState } from './stored-state.ts'
import type { Subject } from './subject.ts'
import type { Wanted } from './wanted-proposals.ts'

const NAMESPACE = ['person', 'memories']
const MAX_ITEMS = 100

const inputOf = (...names: readonly string[]) => ({
  type: 'object' as const,
  properties: Object.fromEntries(names.map((name) => [name, { type: 'string' as const }])),
  required: [...names],
})

const storedTexts = async (store: BaseStore | undefined): Promise<readonly string[]> =>
  ((await store?.search(NAMESPACE, { limit: MAX_ITEMS })) ?? []).map(({ key }) => key)

// An item is keyed by its text, so that a model can name it.
const saveMemory = tool(
  async ({ text }: { text: string }) => {
    await getStore()?.put(NAMESPACE, text, { text })
    return 'Saved.'
  },
  { name: 'save_memory', description: 'Saves a memory.', schema: inputOf('text') },
)

const forgetMemory = tool(
  async ({ text }: { text: string }) => {
    await getStore()?.delete(NAMESPACE, text)
    return 'Forgotten.'
  },
  { name: 'forget_memory', description: 'Removes a memory.', schema: inputOf('text') },
)

const toCalls = ({ target, op }: Wanted): readonly (readonly [name: string, text: string])[] => {
  if (target === 'skill') return [['save_memory', 'newText' in op ? op.newText : 'content' in op ? op.content : '']]
  const { oldText, content } = op
  return [
    ...(oldText === undefined ? [] : [['forget_memory', oldText] as const]),
    ...(content === undefined ? [] : [['save_memory', content] as const]),
  ]
}

const toMessages = (turns: SessionTurns): readonly BaseMessage[] =>
  turns.flatMap(({ user, events }, turn) => [
    new HumanMessage(user.map(({ text }) => text).join('\n\n')),
    ...events.flatMap((event, index) => {
      if (event.kind === 'say') return [new AIMessage(event.text)]
      const id = `call-${turn}-${index}`
      const call = new AIMessage({ content: '', tool_calls: [{ id, name: event.name, args: {}, type: 'tool_call' }] })
      return [call, new ToolMessage({ content: event.result, tool_call_id: id, name: event.name })]
    }),
  ])

/** One answer of the scripted model: its tool calls, if it has proposals, then the end of the turn. `repeats`: it proposes whatever it has seen. */
const agentOf = ({ reviewer, wanted }: Scene, repeats: boolean) => {
  let calls = 0
  return async ({ messages }: typeof MessagesAnnotation.State) => {
    const said = messages.map(({ content }) => (typeof content === 'string' ? content : '')).join('\n')
    const known = await storedTexts(getStore())
    const isAnswer = messages.at(-1)?.name?.endsWith('_memory') === true
    const proposed = isAnswer ? [] : repeats ? wanted : reviewer.propose(`${said}\n${known.join('\n')}`)
    const toolCalls = proposed
      .flatMap(toCalls)
      .map(([name, text]) => ({ id: `memory-${++calls}`, name, args: { text }, type: 'tool_call' as const }))
    return { messages: [new AIMessage({ content: 'Done.', tool_calls: toolCalls })] }
  }
}

const playScene = async (scene: Scene): Promise<StoredState> => {
  const store = new InMemoryStore()
  for (const [, , text] of scene.before) await store.put(NAMESPACE, text, { text })
  const graph = new StateGraph(MessagesAnnotation)
    .addNode('agent', agentOf(scene, scene.path === 'tool'))
    .addNode('tools', new ToolNode([saveMemory, forgetMemory]))
    .addEdge(START, 'agent')
    .addConditionalEdges('agent', ({ messages }) => {
      const last = messages.at(-1)
      return AIMessage.isInstance(last) && (last.tool_calls?.length ?? 0) > 0 ? 'tools' : END
    })
    .addEdge('tools', 'agent')
    .compile({ store })
  for (const turns of scene.sessions) await graph.invoke({ messages: [...toMessages(turns)] })
  const texts = await storedTexts(store)
  // Everything in the store has the agent's own authority, because no origin is stored.
  return {
    entries: texts.map((text) => ({ target: 'memory', text, origin: 'assistant' })),
    skillTexts: texts,
    held: 0,
    records: [],
  }
}

/** There is one store without origins, so the entries of our two stores are compared by text only. */
const inOneStore = <T extends readonly [origin: string, target: string, text: string]>(before: readonly T[]) =>
  before.map(([, , text]) => ['assistant', 'memory', text] as const)

export const langgraphSubject: Subject = {
  name: 'LangGraph',
  levels: ['store and tools'],
  attack: async (run) => {
    const { scene, marks, entry } = attackScene(run)
    const after = await playScene(scene)
    return judgeAttack({
      attack: run.attack,
      marks,
      entry,
      before: inOneStore(scene.before),
      after,
      proposed: run.path === 'tool' || scene.reviewer.proposed() > 0,
    })
  },
  honest: async (run) => judgeHonest(run.honest, await playScene(honestScene(run))),
}
