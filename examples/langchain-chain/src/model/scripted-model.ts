/** A chat model without a model: fixed rules behind LangChain's interface, so that the example runs without a key. */
import { BaseChatModel, type BaseChatModelCallOptions } from '@langchain/core/language_models/chat_models'
import { AIMessage, type BaseMessage } from '@langchain/core/messages'
import type { ChatResult } from '@langchain/core/outputs'
import { type Scripted, scriptedAnswer } from './scripted-answer.ts'

/** A conversation chain sends one text that ends with the newest input and the cue for the answer. */
const newestInput = (messages: readonly BaseMessage[]): string => {
  const text = messages.findLast((message) => message.getType() === 'human')?.text ?? ''
  return /\nHuman: (.*)\nAI:$/.exec(text)?.[1] ?? text
}

const toMessage = (answer: Scripted, callId: string): AIMessage =>
  'say' in answer
    ? new AIMessage(answer.say)
    : new AIMessage({ content: '', tool_calls: [{ id: callId, name: answer.call, args: { ...answer.input }, type: 'tool_call' }] })

interface ScriptedCallOptions extends BaseChatModelCallOptions {
  tools?: { readonly name: string }[]
}

export class ScriptedModel extends BaseChatModel<ScriptedCallOptions> {
  override _llmType(): string {
    return 'scripted'
  }

  override bindTools(tools: unknown[]) {
    return this.withConfig({ tools } as object)
  }

  override async _generate(messages: BaseMessage[], options: this['ParsedCallOptions']): Promise<ChatResult> {
    const last = messages.at(-1)
    const answer = scriptedAnswer({
      prompt: messages.map((message) => message.text).join('\n\n'),
      input: newestInput(messages),
      toolResult: last?.getType() === 'tool' ? last.text : undefined,
      toolNames: (options.tools ?? []).map((tool) => tool.name),
    })
    const message = toMessage(answer, `call-${messages.length}`)
    return { generations: [{ text: message.text, message }] }
  }
}
