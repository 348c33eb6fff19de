/** Hermes for the chat loop. */
import type { HostModel, TurnMessage } from '@hermes/core'
import * as adapter from '@hermes/core/adapter'
import type { ChatMessage, ChatOptions, ChatRequest, ChatTool, Complete } from './chat-loop.ts'

/** Whose words the messages are. */
const toTurnMessages = (messages: readonly ChatMessage[]): readonly TurnMessage[] => {
  const said = messages.flatMap(({ role, text, toolCalls = [], toolName = 'unknown' }): readonly TurnMessage[] => {
    if (role === 'system') return []
    if (role === 'tool') return [{ role, text: adapter.cutText(text), toolNames: [toolName] }]
    return [{ role, text, toolNames: toolCalls.map(({ name }) => name) }]
  })
  const system = messages.filter(({ role }) => role === 'system').map(({ text }) => text)
  return adapter.withSystemContext(said, system)
}

/** The frozen text behind the system prompt, recalled text behind the user's messages; the host's own objects stay as they are. */
const place = (messages: readonly ChatMessage[], { block, recalled }: adapter.ModelCall): readonly ChatMessage[] => {
  const fences = adapter.fencesByUserMessage(toTurnMessages(messages), recalled)
  const asked = messages.filter(({ role }) => role === 'user')
  const placed = messages.map((message) => {
    const fence = fences.get(asked.indexOf(message))
    return fence === undefined ? message : { ...message, text: adapter.appendFence(message.text, fence) }
  })
  const [first, ...rest] = placed
  if (block === '') return placed
  if (first?.role !== 'system') return [{ role: 'system', text: block }, ...placed]
  return [{ ...first, text: adapter.joinBlock(first.text, block) }, ...rest]
}

/** The host's model for reviews: called below the adapter, with the signal of the review. */
const hostModel =
  (complete: Complete, sent: ChatRequest, answer: ChatMessage): HostModel =>
  async ({ mode, system, messages, signal }) => {
    const before: ChatRequest =
      mode === 'replay' ? { ...sent, messages: [...sent.messages, answer] } : { messages: [{ role: 'system', text: system }] }
    const asked = messages.map(({ role, content }) => ({ role, text: content }))
    const { text } = await complete({ ...before, messages: [...before.messages, ...asked] }, { purpose: 'review', signal })
    return text
  }

const NAME_BOTH = 'Pass { owner, sessionId } in the options of the call.'
const ADVICE: adapter.WiringAdvice = {
  owner: NAME_BOTH,
  session: 'Pass { sessionId } in the options of the call.',
  ownedSession: NAME_BOTH,
  manySessions: 'To choose a session in each call, wrap with the Hermes: withHermes(complete, hermes).',
  manyPeople: 'To serve many people, wrap with their homes: withHermes(complete, createHermesHomes({ storage })).',
}

/** `complete` with a memory. Nothing of Hermes fails a call. */
export const withHermes = (complete: Complete, target: adapter.HermesTarget, onWarning?: adapter.HermesWarningListener): Complete => {
  adapter.checkTarget('withHermes', target)
  const warn = adapter.warningListener(onWarning)

  const begin = async ({ messages, tools = [] }: ChatRequest, { owner, sessionId, signal }: ChatOptions) => {
    const start = { prompt: toTurnMessages(messages), offered: tools, signal }
    const found = adapter.findSession(target, { owner, sessionId }, ADVICE)
    if (!adapter.isFailure(found)) return adapter.beginModelCall(found, start)
    adapter.tellFailure(target, found, warn)
    const shared = adapter.sharedTarget(target)
    return shared && adapter.beginUnownedCall(shared, start)
  }

  return async (request, options = {}) => {
    const call = await begin(request, options).catch((cause: unknown) => adapter.warnUnexpected(warn, cause))
    if (!call) return complete(request, options)
    const sent = { ...request, messages: place(request.messages, call) }
    const said = await complete(sent, options)
    const answer = {
      ...said,
      text: adapter.scrubText(
        said.text,
        call.recalled.map(({ text }) => text),
      ),
    }
    const { toolCalls = [] } = answer
    try {
      for (const each of toolCalls) call.noteToolCall(each)
      const [turnFinished, reply] = [toolCalls.length === 0, toTurnMessages([answer])]
      if (!options.signal?.aborted) call.end({ turnFinished, calledTools: !turnFinished, reply, model: hostModel(complete, sent, answer) })
    } catch (cause) {
      adapter.warnUnexpected(warn, cause)
    }
    return answer
  }
}

/** The agent's own tools, for the loop. */
export const hermesTools = (target: adapter.HermesTarget): readonly ChatTool[] =>
  target.offerTools().map((tool) => ({
    name: tool.name,
    description: tool.description,
    parameters: tool.jsonSchema,
    run: async (input, { id, messages }) =>
      JSON.stringify(await adapter.runTool(tool, () => tool.execute(input, { messages: toTurnMessages(messages), toolCallId: id }))),
  }))
