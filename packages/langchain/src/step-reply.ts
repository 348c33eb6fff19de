/** The answer of one model call, whole or collected from chunks: the text, and whether tools follow. */
import type { ModelUsage, TurnMessage } from '@hermes/core'
import { asRecord, toJson } from '@hermes/core/adapter'
import { concat } from '@langchain/core/utils/stream'
import { isMessage } from './message-type.ts'
import { calledToolNames, calledTools, toTurnMessages } from './to-turn-messages.ts'
import { usageOf } from './token-usage.ts'
import { toolCallsOf } from './tool-calls.ts'

export interface StepReply {
  add(chunk: unknown): void
  /** Includes tools that the provider runs itself. */
  readonly calledTools: boolean
  /** False if the model waits for tool results. */
  readonly turnFinished: boolean
  messages(): readonly TurnMessage[]
  toolCalls(): ReturnType<typeof toolCallsOf>
  /** Undefined if the provider reported none. */
  usage(): ModelUsage | undefined
  text(): string
}

const joined = (gathered: unknown, chunk: unknown): unknown => {
  if (gathered === undefined) return chunk
  // Chunks of a structured answer each contain the whole answer so far.
  if (typeof chunk !== 'string' && !isMessage(chunk)) return chunk
  return concat<Parameters<typeof concat>[0]>(gathered as never, chunk as never)
}

/** `answer`: a message, the string of a text model, or the value of a structured output. */
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
