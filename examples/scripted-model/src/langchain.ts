/** The stand-in as a chat model of LangChain. */
import { BaseChatModel, type BaseChatModelCallOptions } from '@langchain/core/language_models/chat_models'
import { AIMessage, type BaseMessage, ToolMessage } from '@langchain/core/messages'
import type { ChatResult } from '@langchain/core/outputs'
import { answerPrompt } from './answer-prompt.ts'
import type { Prompt, ScriptedStep } from './scene.ts'
import { type ToolCall, toToolCall } from './tool-calls.ts'

/** A conversation chain sends everything as one text: its own instructions, the chat so far, and the cue for the answer. */
const CHAIN_PROMPT = /^([\s\S]*?)^(Human: [\s\S]*)\nAI:$/m

const saidIn = (text: string): readonly string[] => {
  const [, , chat] = CHAIN_PROMPT.exec(text) ?? []
  return chat === undefined ? [text] : [...chat.matchAll(/^Human: (.*)$/gm)].map(([, said = '']) => said)
}

const dataOf = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

const callsOf = (message: AIMessage, answers: readonly BaseMessage[]): readonly ToolCall[] =>
  (message.tool_calls ?? []).flatMap(({ id, name, args }) => {
    const answer = answers.find((other) => ToolMessage.isInstance(other) && other.tool_call_id === id)
    return answer === undefined ? [] : [toToolCall(name, args, dataOf(answer.text))]
  })

const toPrompt = (messages: readonly BaseMessage[]): Prompt => ({
  system: messages
    .map((message) => (message.getType() === 'system' ? message.text : (CHAIN_PROMPT.exec(message.text)?.[1] ?? '')))
    .join('\n\n'),
  chat: messages.flatMap((message, index): readonly (string | ToolCall)[] => {
    if (message.getType() === 'human') return saidIn(message.text)
    return AIMessage.isInstance(message) ? callsOf(message, messages.slice(index + 1)) : []
  }),
})

const toMessage = (step: ScriptedStep, callId: string): AIMessage =>
  step.kind === 'say'
    ? new AIMessage(step.text)
    : new AIMessage({ content: '', tool_calls: [{ id: callId, name: step.toolName, args: { ...step.input }, type: 'tool_call' }] })

interface ScriptedCallOptions extends BaseChatModelCallOptions {
  tools?: { readonly name: string }[]
}

/** Deterministic: the same prompt gives the same answer. */
export class ScriptedModel extends BaseChatModel<ScriptedCallOptions> {
  override _llmType(): string {
    return 'scripted'
  }

  override bindTools(tools: unknown[]) {
    return this.withConfig({ tools } as object)
  }

  override async _generate(messages: BaseMessage[], options: this['ParsedCallOptions']): Promise<ChatResult> {
    const toolNames = (options.tools ?? []).map((tool) => tool.name)
    const isReview = messages.some(({ text }) => text.includes('<conversation>'))
    const message = toMessage(answerPrompt(toPrompt(messages), toolNames, isReview), `call-${messages.length}`)
    return { generations: [{ text: message.text, message }] }
  }
}
