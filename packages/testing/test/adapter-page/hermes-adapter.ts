import type { HostModel, TurnMessage } from '@hermes/core'
import {
  appendFence,
  asRecord,
  asText,
  beginModelCall,
  beginUnownedCall,
  checkTarget,
  cutText,
  fencesByUserMessage,
  findSession,
  type HermesTarget,
  type HermesWarningListener,
  isFailure,
  joinBlock,
  type ModelCall,
  runTool,
  scrubText,
  sharedTarget,
  tellFailure,
  toModelUsage,
  type WiringAdvice,
  warningListener,
  warnUnexpected,
  withSystemContext,
} from '@hermes/core/adapter'
import {
  type ChatAnswer,
  type ChatMessage,
  type ChatOptions,
  type ChatRequest,
  type ChatTool,
  type Complete,
  inputOf,
} from './chat-loop.ts'

/** Whose words the messages are. */
const toTurnMessages = (messages: readonly ChatMessage[]): readonly TurnMessage[] => {
  const names = new Map(messages.flatMap(({ tool_calls = [] }) => tool_calls.map((call) => [call.id, call.function.name] as const)))
  const turn = messages.flatMap((message): readonly TurnMessage[] => {
    const text = message.content ?? ''
    switch (message.role) {
      case 'user':
        return [{ role: 'user', text }]
      case 'assistant':
        return [{ role: 'assistant', text, toolNames: (message.tool_calls ?? []).map((call) => call.function.name) }]
      case 'tool':
        return [{ role: 'tool', text: cutText(text), toolNames: [names.get(message.tool_call_id ?? '') ?? 'unknown'] }]
      default:
        return []
    }
  })
  return withSystemContext(
    turn,
    messages.filter(({ role }) => role === 'system').map(({ content }) => content ?? ''),
  )
}

/** The frozen text, behind the host's own system prompt. */
const placeBlock = (messages: readonly ChatMessage[], block: string): readonly ChatMessage[] => {
  const [first, ...rest] = messages
  if (block === '') return messages
  if (first?.role !== 'system') return [{ role: 'system', content: block }, ...messages]
  return [{ ...first, content: joinBlock(first.content ?? '', block) }, ...rest]
}

/** Recalled text, behind the user's messages that it belongs to. */
const placeRecalled = (messages: readonly ChatMessage[], fences: ReadonlyMap<number, string>): readonly ChatMessage[] => {
  const said = messages.filter(({ role }) => role === 'user')
  return messages.map((message) => {
    const fence = fences.get(said.indexOf(message))
    return fence === undefined ? message : { ...message, content: appendFence(message.content ?? '', fence) }
  })
}

/** The answer without what the model repeats of the fences. */
const scrub = (answer: ChatAnswer, fences: readonly string[]): ChatAnswer => {
  const { content } = answer.message
  return content === null || fences.length === 0
    ? answer
    : { ...answer, message: { ...answer.message, content: scrubText(content, fences) } }
}

const REVIEW: ChatOptions = { headers: { 'x-purpose': 'hermes-review' } }

const usageOf = ({ usage }: ChatAnswer) => {
  const { prompt_tokens: inputTokens, completion_tokens: outputTokens, prompt_tokens_details: details } = asRecord(usage)
  return toModelUsage({ inputTokens, cachedInputTokens: asRecord(details)['cached_tokens'], outputTokens })
}

/** The host's own model, for reviews: called below the adapter, with the signal of the review. */
const hostModel =
  (complete: Complete, sent: ChatRequest, answer: ChatMessage): HostModel =>
  async ({ mode, system, messages, maxOutputTokens, signal }) => {
    const before: readonly ChatMessage[] = mode === 'replay' ? [...sent.messages, answer] : [{ role: 'system', content: system }]
    const request = {
      ...(mode === 'replay' ? sent : { model: sent.model }),
      messages: [...before, ...messages],
      maxTokens: maxOutputTokens,
    }
    const reviewed = await complete(request, { ...REVIEW, signal })
    const usage = usageOf(reviewed)
    return { text: reviewed.message.content ?? '', model: asText(reviewed.model) || sent.model, ...(usage ? { usage } : {}) }
  }

const NAME_BOTH = "Pass { hermes: { user, sessionId } } in the options of the call, with the signed-in user's id."

const ADVICE: WiringAdvice = {
  owner: NAME_BOTH,
  session: 'Pass { hermes: { sessionId } } in the options of the call.',
  ownedSession: NAME_BOTH,
  manySessions: 'To choose a session in each call, wrap with the Hermes object: withHermes(complete, hermes).',
  manyPeople: 'To serve many people, wrap with their homes: withHermes(complete, createHermesHomes({ storage })).',
}

/** What came of a call: the tools it asked for, before the loop runs them, and its end. */
const endCall = (call: ModelCall, complete: Complete, sent: ChatRequest, answer: ChatAnswer): void => {
  const { message } = answer
  const toolCalls = message.tool_calls ?? []
  for (const each of toolCalls) call.noteToolCall({ id: each.id, name: each.function.name, input: inputOf(each) })
  call.end({
    turnFinished: toolCalls.length === 0,
    calledTools: toolCalls.length > 0,
    reply: toTurnMessages([message]),
    usage: usageOf(answer),
    model: hostModel(complete, sent, message),
  })
}

/** `complete` with a memory. Nothing of Hermes ever fails a call. */
export const withHermes = (
  complete: Complete,
  target: HermesTarget,
  { onWarning }: { readonly onWarning?: HermesWarningListener } = {},
): Complete => {
  checkTarget('withHermes', target)
  const warn = warningListener(onWarning)

  const begin = async (request: ChatRequest, { signal, hermes = {} }: ChatOptions): Promise<ModelCall | undefined> => {
    const { user, tenant, sessionId } = hermes
    const owner = user === undefined && tenant === undefined ? undefined : { user, ...(tenant === undefined ? {} : { tenant }) }
    const start = { prompt: toTurnMessages(request.messages), offered: request.tools, modelId: request.model, signal }
    const found = findSession(target, { owner, sessionId }, ADVICE)
    if (!isFailure(found)) return beginModelCall(found, start)
    tellFailure(target, found, warn)
    const shared = sharedTarget(target)
    return shared && beginUnownedCall(shared, start)
  }

  return async (request, options = {}) => {
    const call = await begin(request, options).catch((cause: unknown) => warnUnexpected(warn, cause))
    const recalled = call?.recalled ?? []
    const asked = placeRecalled(request.messages, fencesByUserMessage(toTurnMessages(request.messages), recalled))
    const sent = { ...request, messages: placeBlock(asked, call?.block ?? '') }
    const fences = recalled.map(({ text }) => text)
    const answer = scrub(await complete(sent, options), fences)
    try {
      if (call && options.signal?.aborted !== true) endCall(call, complete, sent, answer)
    } catch (cause) {
      warnUnexpected(warn, cause)
    }
    return answer
  }
}

/** The agent's own tools, for the loop. */
export const hermesTools = (target: HermesTarget): readonly ChatTool[] =>
  target.offerTools().map((tool) => ({
    name: tool.name,
    description: tool.description,
    parameters: tool.jsonSchema,
    run: async (input, { id, messages }) =>
      JSON.stringify(await runTool(tool, () => tool.execute(input, { messages: toTurnMessages(messages), toolCallId: id }))),
  }))
