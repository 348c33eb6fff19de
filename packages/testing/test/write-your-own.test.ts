/** Runs the public suites on the examples of docs/write-your-own.md. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createHermesHomes, inMemoryBackend, ok } from '@hermes/core'
import { expect, it } from 'vitest'
import { bundledModule } from '../../../scripts/support/bundled-program.ts'
import { STORAGE_ROUNDS } from '../../../scripts/support/rounds.ts'
import { type ChatMessage, type ChatOptions, type Complete, runChat } from '../examples/chat-loop.ts'
import { hermesTools, withHermes } from '../examples/hermes-adapter.ts'
import { searchService } from '../examples/search-service.ts'
import { type AdapterHost, type AdapterHostSetup, adapterConformance, providerConformance, storageConformance } from '../src/index.ts'
import { open } from './write-your-own/open-in-child.ts'
import { API_KEY, startSearchService } from './write-your-own/start-search-service.ts'

storageConformance(
  'the back end of the page',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'hermes-page-'))
    const config = { file: join(folder, 'documents.db') }
    return {
      open: () => open(config),
      dispose: async () => rmSync(folder, { recursive: true }),
      openInChild: { module: bundledModule(new URL('./write-your-own/open-in-child.ts', import.meta.url)), config },
    }
  },
  STORAGE_ROUNDS,
)

providerConformance('the provider of the page', async () => {
  const { url, close } = await startSearchService()
  return { provider: searchService({ url, apiKey: API_KEY }), dispose: close }
})

it('a search service that refuses is an error that says what to check', async () => {
  const { url, close } = await startSearchService()
  const signal = AbortSignal.timeout(5_000)
  const home = await searchService({ url, apiKey: 'wrong' }).initialize(
    { folder: '', clock: () => 0, archived: async () => ok([]), report: () => {} },
    { signal },
  )
  const query = { sessionId: 'asking', text: 'Where does Petra live?', at: 0, maxChars: 1_600 }
  await expect(home.prefetch?.(query, { signal })).rejects.toThrow('Check its address and the key')
  await close()
})

/** The model of the loop, which the suite plays. */
const modelOf =
  (model: AdapterHostSetup['model']): Complete =>
  async ({ messages }, { purpose = 'turn', signal } = {}) => {
    const [system, others] = [messages.filter(({ role }) => role === 'system'), messages.filter(({ role }) => role !== 'system')]
    const answer = await model({ purpose, system: system.map(({ text }) => text).join('\n\n'), messages: others, signal })
    if (answer.type === 'error') throw answer.error
    if (answer.type === 'tool-call') {
      const call = { id: crypto.randomUUID(), name: answer.toolName, input: answer.input }
      return { role: 'assistant', text: '', toolCalls: [call] }
    }
    let text = ''
    for await (const chunk of answer.chunks) text += chunk
    return { role: 'assistant', text }
  }

const createHost = ({ hermes, homes, model, instructions, tools, conversations }: AdapterHostSetup): AdapterHost => {
  const target = homes ?? hermes
  const complete = withHermes(modelOf(model), target, () => {})
  const own = Object.entries(tools).map(([name, run]) => ({ name, description: name, parameters: { type: 'object' }, run }))
  const all = [...own, ...hermesTools(target)]
  const chat = (messages: readonly ChatMessage[], options: ChatOptions) =>
    runChat(complete, { messages: [{ role: 'system', text: instructions }, ...messages], tools: all }, options)

  return {
    async send(sessionId, text, { owner, regenerate, signal } = {}) {
      const key = homes ? JSON.stringify([owner, sessionId]) : sessionId
      const known = (conversations.get(key) ?? []) as readonly ChatMessage[]
      const asked = known.findLastIndex(({ role }) => role === 'user')
      const messages: readonly ChatMessage[] = regenerate === true ? known.slice(0, asked + 1) : [...known, { role: 'user', text }]
      conversations.set(key, messages)
      const said = await chat(messages, { sessionId, ...(owner ? { owner } : {}), ...(signal ? { signal } : {}) })
      conversations.set(key, [...messages, ...said])
      return { text: said.at(-1)?.text ?? '' }
    },
    async ask(sessionId, question, { owner } = {}) {
      const said = await chat([{ role: 'user', text: question }], { sessionId, ...(owner ? { owner } : {}) })
      return { text: said.at(-1)?.text ?? '' }
    },
  }
}

adapterConformance('the adapter of the page', createHost, { streaming: false, retries: false })

it('a call that names no owner is warned of, with what to write', async () => {
  const warnings: string[] = []
  const homes = createHermesHomes({ storage: inMemoryBackend() })
  const complete = withHermes(
    async () => ({ role: 'assistant', text: 'Fine.' }),
    homes,
    ({ message }) => void warnings.push(message),
  )
  expect((await complete({ messages: [{ role: 'user', text: 'Hello' }] }, { sessionId: 'chat' })).text).toBe('Fine.')
  expect(warnings).toEqual([expect.stringContaining('Pass { owner, sessionId } in the options of the call.')])
  await homes.close()
})
