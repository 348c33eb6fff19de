/** A language model without a model: fixed rules behind the provider's interface, so that the chat runs without a key. */
import type { ProviderCallOptions, ProviderContent, ProviderGenerateResult, ProviderModel } from '../model/provider-spec.ts'
import { decideStep } from './decide-step.ts'
import { playReviewer } from './play-reviewer.ts'
import { readPrompt } from './read-prompt.ts'
import { type ScriptedStep, say } from './scripted-step.ts'
import { wordStream } from './word-stream.ts'

/** The usual rough measure; nobody bills by it. */
const toTokens = (text: string): number => Math.ceil(text.length / 4)

const toContent = (step: ScriptedStep, callId: string): ProviderContent =>
  step.kind === 'say'
    ? { type: 'text', text: step.text }
    : { type: 'tool-call', toolCallId: callId, toolName: step.toolName, input: JSON.stringify(step.input) }

const answer = (options: ProviderCallOptions): ProviderGenerateResult => {
  const prompt = readPrompt(options.prompt)
  const isReview = options.providerOptions?.['hermes']?.['purpose'] === 'review'
  const toolNames = (options.tools ?? []).flatMap((tool) => (tool.type === 'function' ? [tool.name] : []))
  const step: ScriptedStep = isReview ? say(playReviewer(prompt.said)) : decideStep(prompt, toolNames)
  const content = toContent(step, `call-${options.prompt.length}`)
  const input = toTokens(JSON.stringify(options.prompt))
  const output = toTokens(JSON.stringify(content))
  const finished = step.kind === 'say' ? 'stop' : 'tool-calls'
  return {
    content: [content],
    finishReason: { unified: finished, raw: finished },
    usage: {
      inputTokens: { total: input, noCache: input, cacheRead: undefined, cacheWrite: undefined },
      outputTokens: { total: output, text: output, reasoning: undefined },
    },
    warnings: [],
  }
}

export interface ScriptedModelOptions {
  /** Pause before each streamed word, in milliseconds. */
  readonly wordDelayMs?: number
}

/** Deterministic: the same prompt gives the same answer. */
export const scriptedModel = ({ wordDelayMs = 0 }: ScriptedModelOptions = {}): ProviderModel => ({
  specificationVersion: 'v4',
  provider: 'scripted',
  modelId: 'stand-in',
  supportedUrls: {},
  doGenerate: async (options) => {
    options.abortSignal?.throwIfAborted()
    return answer(options)
  },
  doStream: async (options) => {
    options.abortSignal?.throwIfAborted()
    return { stream: wordStream(answer(options), wordDelayMs, options.abortSignal) }
  },
})
