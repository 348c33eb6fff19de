/** The agent of the evaluation: a model in a loop with tools, one of which hands its result in. It counts the tokens of each call. */
import type { ToolDefinition } from '@hermes/core/adapter'
import { estimateTokens } from '@hermes/core/review'
import type { ProviderModel } from '../../../model/choose-model.ts'

type CallOptions = Parameters<ProviderModel['doGenerate']>[0]
type Prompt = CallOptions['prompt']
type Message = Prompt[number]
type Answer = Awaited<ReturnType<ProviderModel['doGenerate']>>
type ToolCall = Extract<Answer['content'][number], { readonly type: 'tool-call' }>

export interface Meter {
  calls: number
  inputTokens: number
  outputTokens: number
  /** Number of calls whose tokens the provider did not report, so that they are estimated. */
  estimatedCalls: number
}

export const startMeter = (): Meter => ({ calls: 0, inputTokens: 0, outputTokens: 0, estimatedCalls: 0 })

/** A meter behind which no further call is made once it has counted so many tokens. */
export interface Limit {
  readonly meter: Meter
  readonly maxTokens: number
}

export const tokensOf = ({ inputTokens, outputTokens }: Meter): number => inputTokens + outputTokens

export const isReached = ({ meter, maxTokens }: Limit): boolean => tokensOf(meter) >= maxTokens

/** The same model, whose calls are counted, end with the signal and stop at the limit. */
export const metered = (model: ProviderModel, limit: Limit, meters: readonly Meter[], signal: AbortSignal): ProviderModel => ({
  specificationVersion: model.specificationVersion,
  provider: model.provider,
  modelId: model.modelId,
  supportedUrls: {},
  doStream: (options) => model.doStream(options),
  doGenerate: async (options) => {
    if (isReached(limit)) throw new Error(`All calls together have used ${tokensOf(limit.meter)} tokens.`)
    const { abortSignal } = options
    const answer = await model.doGenerate({ ...options, abortSignal: abortSignal ? AbortSignal.any([abortSignal, signal]) : signal })
    const { inputTokens, outputTokens } = answer.usage
    for (const meter of [limit.meter, ...meters]) {
      meter.calls += 1
      meter.inputTokens += inputTokens.total ?? estimateTokens(JSON.stringify([options.prompt, options.tools ?? []]))
      meter.outputTokens += outputTokens.total ?? estimateTokens(JSON.stringify(answer.content))
      if (inputTokens.total === undefined || outputTokens.total === undefined) meter.estimatedCalls += 1
    }
    return answer
  },
})

export const DELIVER = 'deliver'

const DELIVER_TOOL = {
  type: 'function' as const,
  name: DELIVER,
  description: 'Hands in the finished result of a task. Call it once for each task, and again after a correction.',
  inputSchema: {
    type: 'object' as const,
    properties: { result: { type: 'string' as const, description: 'The result alone, letter for letter as it will be used.' } },
    required: ['result'],
    additionalProperties: false,
  },
}

const ROLE = `You work in the office of a small company, which has its own way of doing things. Do each task of the user completely and without asking back, and hand the result in with the tool ${DELIVER}.`

/** Enough to look skills up, to load them and to write one. */
const MAX_STEPS = 8

/** Leaves room for a model that reasons before it answers. */
const MAX_OUTPUT_TOKENS = 4_000

export interface Desk {
  readonly model: ProviderModel
  readonly tools: readonly ToolDefinition[]
  /** Ends the turn when a result is handed in. */
  readonly endsWithResult: boolean
}

const argumentsOf = ({ input }: ToolCall): unknown => {
  try {
    return typeof input === 'string' ? JSON.parse(input) : input
  } catch {
    return {}
  }
}

const resultIn = (input: unknown): string => {
  const result: unknown = Reflect.get(Object(input), 'result')
  return typeof result === 'string' ? result : ''
}

const textIn = ({ content }: Answer): string => content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('')

export interface Turn {
  /** What was handed in last; what the agent said, if it handed nothing in. */
  readonly result: string
  /** The conversation after it. */
  readonly messages: readonly Message[]
  /** Names of the skills that were loaded. */
  readonly loaded: readonly string[]
}

/** One turn of the user. Rejects if the model does. */
export const playTurn = async (said: string, before: readonly Message[], { model, tools, endsWithResult }: Desk): Promise<Turn> => {
  const messages: Message[] = [...before, { role: 'user', content: [{ type: 'text', text: said }] }]
  const loaded: string[] = []
  let delivered: string | undefined
  let text = ''
  const run = async (call: ToolCall): Promise<unknown> => {
    const input = argumentsOf(call)
    if (call.toolName === DELIVER) {
      delivered = resultIn(input)
      return { delivered: true }
    }
    const tool = tools.find(({ name }) => name === call.toolName)
    if (!tool) return { error: `There is no tool '${call.toolName}'.` }
    const read = tool.inputSchema.safeParse(input)
    if (!read.success) return { error: 'The input does not fit the schema of the tool.' }
    const result = await tool.execute(read.data, { toolCallId: call.toolCallId })
    if (tool.name === 'skill_view' && result['success'] === true) loaded.push(String(Reflect.get(Object(input), 'name')))
    return result
  }
  const offered = [
    ...tools.map(({ name, description, jsonSchema }) => ({ type: 'function', name, description, inputSchema: jsonSchema }) as const),
    DELIVER_TOOL,
  ]
  for (let step = 0; step < MAX_STEPS; step++) {
    const prompt: Prompt = [{ role: 'system', content: ROLE }, ...messages]
    const answer = await model.doGenerate({ prompt, tools: offered, maxOutputTokens: MAX_OUTPUT_TOKENS })
    const calls = answer.content.filter((part) => part.type === 'tool-call')
    text = textIn(answer)
    messages.push({
      role: 'assistant',
      content: [
        ...(text === '' ? [] : [{ type: 'text' as const, text }]),
        ...calls.map((call) => ({
          type: 'tool-call' as const,
          toolCallId: call.toolCallId,
          toolName: call.toolName,
          input: argumentsOf(call),
        })),
      ],
    })
    if (calls.length === 0) break
    const results: Extract<Message, { readonly role: 'tool' }>['content'] = []
    for (const call of calls) {
      const value = JSON.parse(JSON.stringify(await run(call)))
      results.push({ type: 'tool-result', toolCallId: call.toolCallId, toolName: call.toolName, output: { type: 'json', value } })
    }
    messages.push({ role: 'tool', content: results })
    if (endsWithResult && delivered !== undefined) break
  }
  return { result: delivered ?? text, messages, loaded }
}
