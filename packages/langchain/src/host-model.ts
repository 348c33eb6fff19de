/** The host-model port of core over a language model of LangChain: the reviewer talks to the model the host already has. */
import type { HostModel, HostModelAnswer, HostModelRequest } from '@hermes/core'
import { asRecord } from '@hermes/core/adapter'
import { AIMessage, type BaseMessage, HumanMessage, SystemMessage } from '@langchain/core/messages'
import { contentText } from './content-text.ts'
import { type QuietConfig, quietConfig } from './quiet-config.ts'
import { modelOf, usageOf } from './token-usage.ts'

/** What is needed of a model: chat models, text models and everything bound around them have it. */
export interface ReviewModel {
  invoke(messages: BaseMessage[], config: QuietConfig): Promise<unknown>
}

/** The host's last call as it went out, and the answer to it, for `replay`. */
export interface HostCall {
  readonly messages: readonly BaseMessage[]
  readonly reply: string
  /** The model with what the host bound to it, so that the prefix is the same to the last byte. Default: the model itself. */
  readonly model?: ReviewModel | undefined
}

export interface HostModelOptions {
  /** The host's own, for models that are chosen by it at run time. */
  readonly configurable?: Readonly<Record<string, unknown>> | undefined
  readonly last?: HostCall | undefined
}

const toMessages = (messages: HostModelRequest['messages']): BaseMessage[] =>
  messages.map(({ role, content }) => (role === 'assistant' ? new AIMessage(content) : new HumanMessage(content)))

const NO_REPLAY =
  "This entry point does not see the host's model calls, so it cannot replay one. Use createHermes({ review: { mode: 'digest' } }), or withHermes around the model."

/**
 * Calls the model once per review, unseen by the host's streams and traces, with words alone: no structured output is asked for, so every model will do.
 * Rejects when the model does; core turns that into an event. `maxOutputTokens` has no common name in LangChain and stays the model's own.
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

/** A string from a text model; otherwise the words of a message, reasoning left out, and what it says of its cost. */
const toAnswer = (answer: unknown): string | HostModelAnswer => {
  if (typeof answer === 'string') return answer
  const [usage, model] = [usageOf([answer]), modelOf(answer)]
  return { text: contentText(asRecord(answer)['content']), ...(usage ? { usage } : {}), ...(model === '' ? {} : { model }) }
}
