/** Implements the host-model port of core with a language model of LangChain, so that reviews use the host's own model. */
import type { HostModel, HostModelAnswer, HostModelRequest } from '@hermes/core'
import { asRecord } from '@hermes/core/adapter'
import { AIMessage, type BaseMessage, HumanMessage, SystemMessage } from '@langchain/core/messages'
import { contentText } from './content-text.ts'
import { type QuietConfig, quietConfig } from './quiet-config.ts'
import { modelOf, usageOf } from './token-usage.ts'

/** The methods that a review needs: chat models, text models and the wrappers around them have these. */
export interface ReviewModel {
  invoke(messages: BaseMessage[], config: QuietConfig): Promise<unknown>
}

/** The host's last call as it was sent, and its answer, for `replay`. */
interface HostCall {
  readonly messages: readonly BaseMessage[]
  readonly reply: string
  /** The model with everything that the host bound to it, so that the prefix is identical byte by byte. Default: the model itself. */
  readonly model?: ReviewModel | undefined
}

export interface HostModelOptions {
  /** The host's own `configurable`, for models that are selected by it at run time. */
  readonly configurable?: Readonly<Record<string, unknown>> | undefined
  readonly last?: HostCall | undefined
}

const toMessages = (messages: HostModelRequest['messages']): BaseMessage[] =>
  messages.map(({ role, content }) => (role === 'assistant' ? new AIMessage(content) : new HumanMessage(content)))

const NO_REPLAY =
  "This entry point does not see the host's model calls, so it cannot replay one. Use createHermes({ review: { mode: 'digest' } }), or withHermes around the model."

/**
 * Calls the model once per review, hidden from the host's streams and traces. Uses plain text without structured output, so it works with
 * every model. Rejects if the model does; core turns that into an event. Ignores `maxOutputTokens`, for which LangChain has no common
 * option.
 */
export const hostModel =
  (model: ReviewModel, { configurable, last }: HostModelOptions = {}): HostModel =>
  async ({ mode, system, messages, signal }) => {
    const config = quietConfig(signal, configurable)
    const asked = toMessages(messages)
    if (mode === 'replay') {
      if (last === undefined) throw new Error(NO_REPLAY)
      const said = last.reply === '' ? [] : [new AIMessage(last.reply)]
      return toAnswer(await (last.model ?? model).invoke([...last.messages, ...said, ...asked], config))
    }
    return toAnswer(await model.invoke(system === '' ? asked : [new SystemMessage(system), ...asked], config))
  }

/** A text model returns a string; otherwise the text of the message without reasoning, and its token usage. */
const toAnswer = (answer: unknown): string | HostModelAnswer => {
  if (typeof answer === 'string') return answer
  const [usage, model] = [usageOf([answer]), modelOf(answer)]
  return { text: contentText(asRecord(answer)['content']), ...(usage ? { usage } : {}), ...(model === '' ? {} : { model }) }
}
