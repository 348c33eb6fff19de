/** The prompt lists skills only for models that were offered the session's tools, with each entry point. */
import { createHermes, type Hermes, inMemoryBackend } from '@hermes/core'
import { type ModelCall, textAnswer } from '@hermes/testing'
import { ConversationChain } from '@langchain/classic/chains'
import { HumanMessage } from '@langchain/core/messages'
import { createAgent } from 'langchain'
import { describe, expect, it } from 'vitest'
import { hermesMiddleware } from '../src/agent.ts'
import { HermesMemory, hermesTools, withHermes } from '../src/index.ts'
import { ScriptedChatModel } from './support/scripted-chat-model.ts'

const NOTE = 'The shop ships on Mondays.'

/** The prompt in a home with one note and one skill. */
const promptOf = async (ask: (hermes: Hermes, model: ScriptedChatModel) => Promise<unknown>): Promise<string> => {
  const calls: ModelCall[] = []
  const model = new ScriptedChatModel({
    answer: async (call) => {
      calls.push(call)
      return textAnswer('Fine.')
    },
  })
  const hermes = createHermes({ storage: inMemoryBackend() })
  const store = hermes.memoryStore()
  await store.load()
  await store.apply('memory', { action: 'add', content: NOTE })
  const content = '---\nname: deploy-shop\ndescription: How to deploy the shop.\n---\n\nTag the release.\n'
  expect(await hermes.skillStore().create({ name: 'deploy-shop', content })).toMatchObject({ ok: true })
  await ask(hermes, model)
  return JSON.stringify(calls[0])
}

const thread = { configurable: { thread_id: 'chat' } }

const chainOf = (hermes: Hermes, model: ScriptedChatModel) => {
  const chain = new ConversationChain({ llm: model })
  chain.memory = new HermesMemory({ session: hermes.session('chat'), memory: chain.memory, model })
  return chain
}

const agentOf = (hermes: Hermes, model: ScriptedChatModel, tools: boolean) =>
  createAgent({
    model,
    tools: tools ? [] : hermesTools(hermes.session('chat'), { prefix: 'my_' }),
    middleware: [hermesMiddleware(hermes, { tools })],
  })

describe('a model without the session’s tools', () => {
  it.each<[string, (hermes: Hermes, model: ScriptedChatModel) => Promise<unknown>]>([
    ['in a legacy chain', (hermes, model) => chainOf(hermes, model).invoke({ input: 'Hello' })],
    ['in a pipe, by the Hermes object', (hermes, model) => withHermes(model, hermes).invoke('Hello', thread)],
    ['in a pipe, by a session', (hermes, model) => withHermes(model, hermes.session('chat')).invoke('Hello')],
    [
      'in an agent whose middleware brings none',
      (hermes, model) =>
        createAgent({ model, tools: [], middleware: [hermesMiddleware(hermes, { tools: false })] }).invoke(
          { messages: [new HumanMessage('Hello')] },
          thread,
        ),
    ],
  ])('remembers and is told of no skill, %s', async (_where, ask) => {
    const prompt = await promptOf(ask)
    expect(prompt).toContain(NOTE)
    expect(prompt).not.toMatch(/deploy-shop|skill_view/)
  })
})

describe('a model with the session’s tools', () => {
  it.each<[string, string, (hermes: Hermes, model: ScriptedChatModel) => Promise<unknown>]>([
    [
      'in a legacy chain',
      'skill_view',
      (hermes, model) => {
        hermesTools(hermes.session('chat'))
        return chainOf(hermes, model).invoke({ input: 'Hello' })
      },
    ],
    [
      'in a pipe',
      'skill_view',
      (hermes, model) => withHermes(model.bindTools(hermesTools(hermes.session('chat'))), hermes).invoke('Hello', thread),
    ],
    [
      'in an agent',
      'skill_view',
      (hermes, model) => agentOf(hermes, model, true).invoke({ messages: [new HumanMessage('Hello')] }, thread),
    ],
    [
      'in an agent that has them from elsewhere, under a prefix',
      'my_skill_view',
      (hermes, model) => agentOf(hermes, model, false).invoke({ messages: [new HumanMessage('Hello')] }, thread),
    ],
  ])('is told of the skills, %s', async (_where, tool, ask) => {
    const prompt = await promptOf(ask)
    for (const part of [NOTE, 'deploy-shop', `with the tool ${tool} `]) expect(prompt).toContain(part)
  })
})
