/** The stand-in behind the provider interface of the AI SDK (specification v4). */
import { simulateReadableStream, type wrapLanguageModel } from 'ai'
import { answerPrompt } from './answer-prompt.ts'
import type { Prompt, ScriptedStep } from './scene.ts'
import { type ToolCall, toToolCall } from './tool-calls.ts'

type Model = ReturnType<typeof wrapLanguageModel>
type CallOptions = Parameters<Model['doGenerate']>[0]
type Message = CallOptions['prompt'][number]
type Generated = Awaited<ReturnType<Model['doGenerate']>>
type StreamPart = Awaited<ReturnType<Model['doStream']>>['stream'] extends ReadableStream<infer Part> ? Part : never

const textOf = ({ content }: Extract<Message, { role: 'user' }>): string =>
  content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n')

/** A call without a result is left out: nobody knows what came of it. */
const callsOf = (message: Extract<Message, { role: 'assistant' }>, next: Message | undefined): readonly ToolCall[] => {
  const results = next?.role === 'tool' ? next.content.filter((part) => part.type === 'tool-result') : []
  return message.content.flatMap((part): readonly ToolCall[] => {
    const output = part.type === 'tool-call' ? results.find(({ toolCallId }) => toolCallId === part.toolCallId)?.output : undefined
    if (part.type !== 'tool-call' || output === undefined) return []
    if (output.type === 'json' || output.type === 'text') return [toToolCall(part.toolName, part.input, output.value)]
    const problem = output.type === 'error-text' ? output.value : 'the tool failed'
    return [{ toolName: part.toolName, input: part.input, output: undefined, success: false, problem }]
  })
}

const toPrompt = (messages: readonly Message[]): Prompt => ({
  system: messages.flatMap((message) => (message.role === 'system' ? [message.content] : [])).join('\n\n'),
  chat: messages.flatMap((message, index): readonly (string | ToolCall)[] => {
    if (message.role === 'user') return [textOf(message)]
    return message.role === 'assistant' ? callsOf(message, messages[index + 1]) : []
  }),
})

/** The usual rough measure; nobody bills by it. */
const toTokens = (value: unknown): number => Math.ceil(JSON.stringify(value).length / 4)

const toContent = (step: ScriptedStep, callId: string): Generated['content'][number] =>
  step.kind === 'say'
    ? { type: 'text', text: step.text }
    : { type: 'tool-call', toolCallId: callId, toolName: step.toolName, input: JSON.stringify(step.input) }

const generate = ({ prompt, tools = [], providerOptions }: CallOptions): Generated => {
  const isReview = providerOptions?.['hermes']?.['purpose'] === 'review'
  const toolNames = tools.flatMap((tool) => (tool.type === 'function' ? [tool.name] : []))
  const step = answerPrompt(toPrompt(prompt), toolNames, isReview)
  const content = toContent(step, `call-${prompt.length}`)
  const [input, output] = [toTokens(prompt), toTokens(content)]
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

/** Word by word, as a real model would send it. */
const toParts = ({ content, usage, finishReason }: Generated): StreamPart[] => [
  { type: 'stream-start', warnings: [] },
  ...content.flatMap((part): StreamPart[] => {
    if (part.type === 'tool-call') return [part]
    if (part.type !== 'text') return []
    const words = part.text.match(/\s*\S+|\s+$/g) ?? []
    return [
      { type: 'text-start', id: 'answer' },
      ...words.map((delta): StreamPart => ({ type: 'text-delta', id: 'answer', delta })),
      { type: 'text-end', id: 'answer' },
    ]
  }),
  { type: 'finish', usage, finishReason },
]

export interface ScriptedModelOptions {
  /** Pause before each streamed word, in milliseconds. */
  readonly wordDelayMs?: number
}

/** Deterministic: the same prompt gives the same answer. */
export const scriptedModel = ({ wordDelayMs = 0 }: ScriptedModelOptions = {}): Model => ({
  specificationVersion: 'v4',
  provider: 'scripted',
  modelId: 'stand-in',
  supportedUrls: {},
  doGenerate: async (options) => {
    options.abortSignal?.throwIfAborted()
    return generate(options)
  },
  doStream: async (options) => {
    options.abortSignal?.throwIfAborted()
    const delay = wordDelayMs > 0 ? wordDelayMs : null
    return { stream: simulateReadableStream({ chunks: toParts(generate(options)), initialDelayInMs: null, chunkDelayInMs: delay }) }
  },
})
