/** One model call of an agent: adds the block to the system message before, records the answer after. */
import type { HostModel, TurnMessage } from '@hermes/core'
import { asList, asRecord, beginModelCall, type FoundSession, fencesByUserMessage } from '@hermes/core/adapter'
import type { BaseMessage, SystemMessage } from '@langchain/core/messages'
import { bareModel } from './bare-model.ts'
import { contentText } from './content-text.ts'
import { isAutomated } from './hermes-call.ts'
import { hostModel, type ReviewModel } from './host-model.ts'
import { runsInsideTool } from './inside-tool.ts'
import { isMessage } from './message-type.ts'
import { describeTools } from './offered-tools.ts'
import type { OriginalReasoning } from './original-reasoning.ts'
import { extendSystemMessage } from './place-block.ts'
import { placeRecalled } from './place-recalled.ts'
import { type Scrubbing, scrubAnswer } from './scrub-message.ts'
import { scrubbedModel } from './scrubbed-model.ts'
import { calledTools as callsTools, toTurnMessages } from './to-turn-messages.ts'
import { modelIdOf, usageOf } from './token-usage.ts'
import { toolCallsOf } from './tool-calls.ts'

/** The fields that Hermes reads of a `ModelRequest` of langchain. */
export interface AgentRequest {
  readonly model: unknown
  readonly messages: readonly BaseMessage[]
  readonly systemMessage: SystemMessage
  readonly tools: readonly unknown[]
  readonly runtime: {
    readonly configurable?: Readonly<Record<string, unknown>> | undefined
    readonly context?: unknown
    readonly signal?: AbortSignal | undefined
  }
}

export interface AgentStep {
  /** The call runs inside a tool of another run. */
  readonly nested: boolean
  /** What the model is called with in place of the request's own. */
  readonly changes: Pick<AgentRequest, 'systemMessage'> & Partial<Pick<AgentRequest, 'messages' | 'model'>>
  /** The response as the host may see it; the same object if nothing was recalled. */
  scrubbed<Response>(response: Response): Response
  /** Passes the model's answer to the session. */
  end(response: unknown): { readonly reviewer: HostModel; readonly calledTools: boolean }
}

/** The response is a message, or a structured answer with the messages that led to it; a graph command has no text. */
const replyMessages = (response: unknown): readonly unknown[] =>
  isMessage(response) ? [response] : asList(asRecord(response)['messages']).filter(isMessage)

/** A structured answer takes the form of a tool call, but is not one. */
const worked = (response: unknown): boolean =>
  asRecord(response)['structuredResponse'] === undefined && replyMessages(response).some(callsTools)

const withTools = (model: ReviewModel, tools: readonly unknown[]): ReviewModel => {
  if (tools.length === 0 || !('bindTools' in model) || typeof model.bindTools !== 'function') return model
  const bound: unknown = model.bindTools(tools)
  return typeof bound === 'object' && bound !== null && 'invoke' in bound ? (bound as ReviewModel) : model
}

const place = (message: SystemMessage, block: string): SystemMessage =>
  block === '' || contentText(message.content, '\n').includes(block) ? message : extendSystemMessage(message, block)

const textOf = (messages: readonly TurnMessage[]): string =>
  messages
    .filter((message) => message.role === 'assistant')
    .map((message) => message.text)
    .join('\n')

const NO_MODEL: HostModel = () => Promise.reject(new Error("The agent's model cannot be called for a review. Pass a 'reviewModel'."))

/** A message, or a structured answer with the messages that led to it. */
const scrubResponse = <Response>(response: Response, scrubbing: Scrubbing): Response => {
  const { messages } = asRecord(response)
  if (isMessage(response) || !Array.isArray(messages)) return scrubAnswer(response, scrubbing)
  return { ...response, messages: messages.map((message) => scrubAnswer(message, scrubbing)) }
}

export interface AgentStepOptions {
  /** A new run of the thread that made the session's latest call: the run before it is over. */
  readonly isNextRun: boolean
  readonly reviewModel?: ReviewModel | undefined
  readonly reasoning: OriginalReasoning
}

export const beginAgentStep = async (
  found: FoundSession,
  request: AgentRequest,
  { reviewModel, reasoning, isNextRun }: AgentStepOptions,
): Promise<AgentStep> => {
  const { configurable, signal } = request.runtime
  const nested = runsInsideTool(configurable)
  const prompt = toTurnMessages([request.systemMessage, ...request.messages])
  const call = await beginModelCall(found, {
    prompt,
    automated: isAutomated(configurable),
    offered: describeTools(request.tools),
    modelId: modelIdOf(request.model),
    nested: nested || (isNextRun ? false : undefined),
    signal,
  })
  const systemMessage = place(request.systemMessage, call.block)
  const sent = reasoning.restore(placeRecalled(request.messages, fencesByUserMessage(prompt, call.recalled)))
  const fences = call.recalled.map(({ text }) => text)
  const scrubbing: Scrubbing | undefined = fences.length === 0 ? undefined : { fences, onReasoning: reasoning.note }

  const reviewer = (reply: readonly TurnMessage[]): HostModel => {
    const model = reviewModel ?? bareModel(request.model)
    if (model === undefined) return NO_MODEL
    const system = contentText(systemMessage.content) === '' ? [] : [systemMessage]
    const messages = [...system, ...sent]
    return (ask) => {
      // Only a replay repeats the tools, so they are bound only when one is requested.
      const repeated = ask.mode === 'replay' && reviewModel === undefined ? withTools(model, request.tools) : undefined
      return hostModel(model, { configurable, last: { messages, reply: textOf(reply), model: repeated } })(ask)
    }
  }

  return {
    nested,
    changes: {
      systemMessage,
      ...(sent === request.messages ? {} : { messages: sent }),
      // LangGraph's streams receive tokens from the model itself.
      ...(scrubbing === undefined ? {} : { model: scrubbedModel(request.model, scrubbing) }),
    },
    scrubbed: (response) => (scrubbing === undefined ? response : scrubResponse(response, scrubbing)),
    end(response) {
      const answered = replyMessages(response)
      const reply = toTurnMessages(answered)
      const model = reviewer(reply)
      const calledTools = worked(response)
      for (const toolCall of answered.flatMap(toolCallsOf)) call.noteToolCall(toolCall)
      // Whether the turn is finished is known only at the end of the run.
      call.end({ turnFinished: false, calledTools, reply, model, usage: usageOf(answered) })
      return { reviewer: model, calledTools }
    },
  }
}
