/** Runs the adapter conformance suite on the adapter of docs/add-an-adapter.md, unchanged. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { SECOND_EXTENT } from '../../../scripts/support/rounds.ts'
import { type AdapterHost, type AdapterHostSetup, adapterConformance, type ModelAnswer, type ModelCall } from '../src/index.ts'
import { type ChatMessage, chatCompletions, runChat } from './adapter-page/chat-loop.ts'
import { hermesTools, withHermes } from './adapter-page/hermes-adapter.ts'

const FOLDER = join(import.meta.dirname, 'adapter-page')
const page = readFileSync(join(import.meta.dirname, '../../../docs/add-an-adapter.md'), 'utf8')

it.each(['chat-loop.ts', 'hermes-adapter.ts'])('is %s in the page, block after block', (name) => {
  const blocks = [...page.matchAll(/^```ts\n\/\/ (\S+)\n([\s\S]*?)^```/gm)].filter(([, file]) => file === name)
  const code = readFileSync(join(FOLDER, name), 'utf8')
  expect(blocks.map(([, , block]) => block).join('\n')).toBe(code)
  expect(code.split('\n').length).toBeLessThanOrEqual(250)
})

const bodyOf = async (answer: ModelAnswer): Promise<ChatMessage> => {
  if (answer.type === 'error') throw answer.error
  if (answer.type === 'tool-call') {
    const call = {
      id: crypto.randomUUID(),
      type: 'function',
      function: { name: answer.toolName, arguments: JSON.stringify(answer.input) },
    } as const
    return { role: 'assistant', content: null, tool_calls: [call] }
  }
  let content = ''
  for await (const chunk of answer.chunks) content += chunk
  return { role: 'assistant', content }
}

/** The endpoint, whose answers come from the suite. */
const endpoint =
  (model: AdapterHostSetup['model']): typeof fetch =>
  async (_url, init) => {
    const { messages } = JSON.parse(String(init?.body)) as { messages: readonly ChatMessage[] }
    const textsOf = (isWanted: (message: ChatMessage) => boolean) =>
      messages.filter(isWanted).map(({ role, content }) => ({ role, text: content ?? '' }))
    const call: ModelCall = {
      purpose: new Headers(init?.headers).get('x-purpose') === 'hermes-review' ? 'review' : 'turn',
      system: textsOf(({ role }) => role === 'system')
        .map(({ text }) => text)
        .join('\n\n'),
      messages: textsOf(({ role }) => role !== 'system'),
      signal: init?.signal ?? undefined,
    }
    const message = await bodyOf(await model(call))
    const usage = { prompt_tokens: 10, completion_tokens: 1, prompt_tokens_details: { cached_tokens: 5 } }
    return Response.json({ model: 'scripted-1', choices: [{ message }], usage })
  }

const createHost = ({ hermes, homes, model, instructions, tools, conversations }: AdapterHostSetup): AdapterHost => {
  const target = homes ?? hermes
  const complete = withHermes(chatCompletions('http://127.0.0.1/v1/chat/completions', endpoint(model)), target, { onWarning: () => {} })
  const own = Object.entries(tools).map(([name, run]) => ({ name, description: name, parameters: { type: 'object' }, run }))
  const all = [...own, ...hermesTools(target)]
  const chat = (messages: readonly ChatMessage[], options: Parameters<typeof complete>[1]) =>
    runChat(complete, { model: 'scripted', messages: [{ role: 'system', content: instructions }, ...messages], tools: all }, options)

  return {
    async send(sessionId, text, { owner, regenerate, signal } = {}) {
      const key = JSON.stringify([owner, sessionId])
      const known = (conversations.get(homes ? key : sessionId) ?? []) as readonly ChatMessage[]
      const asked = known.findLastIndex(({ role }) => role === 'user')
      const messages: readonly ChatMessage[] = regenerate === true ? known.slice(0, asked + 1) : [...known, { role: 'user', content: text }]
      conversations.set(homes ? key : sessionId, messages)
      const said = await chat(messages, { hermes: { ...owner, sessionId }, ...(signal ? { signal } : {}) })
      conversations.set(homes ? key : sessionId, [...messages, ...said])
      return { text: said.at(-1)?.content ?? '' }
    },
    async ask(sessionId, question, { owner } = {}) {
      const said = await chat([{ role: 'user', content: question }], { hermes: { ...owner, sessionId } })
      return { text: said.at(-1)?.content ?? '' }
    },
  }
}

adapterConformance('the adapter of the page', createHost, { streaming: false, retries: false, extent: SECOND_EXTENT })
