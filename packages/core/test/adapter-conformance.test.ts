/** Runs the suite against a minimal host: a hand-written loop over `Session`. A model for the test of an adapter. */

import type { AdapterHostSetup, CreateAdapterHost, ModelAnswer, ModelCall, SendOptions } from '@hermes/testing'
import { adapterConformance } from '@hermes/testing'
import { appendFence } from '../src/adapter/recalled-texts.ts'
import type { HostModel } from '../src/model/host-model.ts'
import type { TurnMessage } from '../src/proposal/turn-message.ts'
import { type ContextScrubber, createContextScrubber } from '../src/provider/context-scrubber.ts'
import type { RecalledText, Session } from '../src/session/session.ts'

class Retryable extends Error {}

const readText = async (answer: ModelAnswer, scrubber: ContextScrubber, onChunk?: SendOptions['onChunk']): Promise<string> => {
  if (answer.type === 'error') throw answer.retryable ? new Retryable(answer.error.message) : answer.error
  let text = ''
  const show = (piece: string): void => {
    text += piece
    if (piece !== '') onChunk?.(piece)
  }
  if (answer.type === 'text') for await (const chunk of answer.chunks) show(scrubber.push(chunk))
  show(scrubber.flush())
  return text
}

const withFences = (messages: readonly TurnMessage[], recalled: readonly RecalledText[]): readonly TurnMessage[] =>
  messages.map((message, at) => {
    const fence = recalled.find(({ index }) => index === at)
    return fence === undefined ? message : { ...message, text: appendFence(message.text, fence.text) }
  })

const reviewer =
  ({ model }: AdapterHostSetup): HostModel =>
  async ({ system, messages, signal }) =>
    readText(
      await model({ purpose: 'review', system, messages: messages.map(({ role, content }) => ({ role, text: content })), signal }),
      createContextScrubber([]),
    )

const handWrittenHost: CreateAdapterHost = (setup) => {
  const { hermes, homes, model, instructions, tools, conversations } = setup

  /** One model call, tried twice. */
  const step = async (call: ModelCall, fences: readonly string[], options: SendOptions): Promise<{ answer: ModelAnswer; text: string }> => {
    const attempt = async () => {
      const answer = await model(call)
      return { answer, text: await readText(answer, createContextScrubber(fences), options.onChunk) }
    }
    return attempt().catch((error: unknown) => {
      if (error instanceof Retryable) return attempt()
      throw error
    })
  }

  const sharedTools = homes?.offerTools() ?? []

  const openSession = (sessionId: string, owner: SendOptions['owner']): Session | undefined => {
    if (homes === undefined) return hermes.session(sessionId)
    if (owner !== undefined) return homes.for(owner).session(sessionId)
    homes.reportWiring({ mistake: 'missing-owner', message: 'The call names no owner. Pass send(…, { owner }).' })
    return undefined
  }

  /** Must be called before the first prompt is frozen. */
  const offerTools = (session: Session | undefined) => {
    if (homes === undefined) return session?.offerTools() ?? []
    if (session)
      homes.noteOffered(
        session,
        sharedTools.map(({ name }) => name),
      )
    return sharedTools
  }

  const answer = async (sessionId: string, asked: readonly TurnMessage[], options: SendOptions) => {
    const session = openSession(sessionId, options.owner)
    const offered = offerTools(session)
    let messages = asked
    for (;;) {
      const block = (await session?.systemBlock()) ?? ''
      const system = block === '' ? instructions : `${instructions}\n\n${block}`
      const recalled = (await session?.recall(messages)) ?? []
      session?.beginStep(messages)
      const call = { purpose: 'turn', system, messages: withFences(messages, recalled), signal: options.signal } as const
      const fences = recalled.map(({ text }) => text)
      const { answer: answered, text: reply } = await step(call, fences, options)
      const toolNames = answered.type === 'tool-call' ? [answered.toolName] : []
      const said: TurnMessage = { role: 'assistant', text: reply, ...(toolNames.length === 0 ? {} : { toolNames }) }
      const toolCallId = crypto.randomUUID()
      if (answered.type === 'tool-call') {
        session?.noteToolCall({ id: toolCallId, name: answered.toolName, input: answered.input, prompt: messages, signal: options.signal })
      }
      const turnFinished = answered.type !== 'tool-call'
      session?.endStep({ prompt: messages, turnFinished, calledTools: !turnFinished, reply: [said], model: reviewer(setup) })
      messages = [...messages, said]
      if (answered.type === 'tool-call') {
        const own = offered.find(({ name }) => name === answered.toolName)
        const text = own
          ? JSON.stringify(await own.execute(answered.input, { messages, toolCallId }))
          : await tools[answered.toolName]?.(answered.input)
        messages = [...messages, { role: 'tool', text: text ?? '', toolNames }]
      }
      if (turnFinished) return { text: reply, messages }
    }
  }

  return {
    async send(sessionId, text, options = {}) {
      const conversation = options.owner === undefined ? sessionId : JSON.stringify([options.owner, sessionId])
      const known = (conversations.get(conversation) ?? []) as readonly TurnMessage[]
      const asked = known.findLastIndex((message) => message.role === 'user')
      const messages: readonly TurnMessage[] = options.regenerate === true ? known.slice(0, asked + 1) : [...known, { role: 'user', text }]
      conversations.set(conversation, messages)
      const answered = await answer(sessionId, messages, options)
      conversations.set(conversation, answered.messages)
      return answered
    },
    ask: (sessionId, question, options = {}) => answer(sessionId, [{ role: 'user', text: question }], options),
  }
}

adapterConformance('a hand-written host', handWrittenHost)
