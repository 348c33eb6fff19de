/** What one model call answered, whole or gathered from chunks: the words, and whether tools follow. */
import type { ModelUsage, TurnMessage } from '@hermes/core'
import { asRecord, toJson } from '@hermes/core/adapter'
import { concat } from '@langchain/core/utils/stream'
import { isMessage } from './message-type.ts'
import { calledToolNames, calledTools, toTurnMessages } from './to-turn-messages.ts'
import { usageOf } from './token-usage.ts'
import { toolCallsOf } from './tool-calls.ts'

export interface StepReply {
  add(chunk: unknown): void
  /** Tools of the provider's, which nobody waits for, included. */
  readonly calledTools: boolean
  /** False where the model waits for the results of tools. */
  readonly turnFinished: boolean
  messages(): readonly TurnMessage[]
  toolCalls(): ReturnType<typeof toolCallsOf>
  /** Undefined where the provider did not say. */
  usage(): ModelUsage | undefined
  text(): string
}

const joined = (gathered: unknown, chunk: unknown): unknown => {
  if (gathered === undefined) return chunk
  // Structured answers come as ever longer versions of the whole.
  if (typeof chunk !== 'string' && !isMessage(chunk)) return chunk
  return concat<Parameters<typeof concat>[0]>(gathered as never, chunk as never)
}

/** A message, the string of a text model, or whatever a structured output made of it. */
const replyMessages = (answer: unknown): readonly TurnMessage[] => {
  if (answer === undefined) return []
  if (isMessage(answer)) return toTurnMessages([answer])
  const { raw } = asRecord(answer)
  if (isMessage(raw)) return toTurnMessages([raw])
  return [{ role: 'assistant', text: typeof answer === 'string' ? answer : toJson(answer) }]
}

export const stepReply = (): StepReply => {
  let answer: unknown
  return {
    add(chunk) {
      answer = joined(answer, chunk)
    },
    get calledTools() {
      return calledTools(answer)
    },
    get turnFinished() {
      return calledToolNames(answer).length === 0
    },
    messages: () => replyMessages(answer),
    toolCalls: () => toolCallsOf(answer),
    usage: () => usageOf([isMessage(answer) ? answer : asRecord(answer)['raw']]),
    text: () =>
      replyMessages(answer)
        .filter((message) => message.role === 'assistant')
        .map((message) => message.text)
        .join('\n'),
  }
}
