/** The cost of background calls to the host's model: tokens as the provider reported them, else estimated. Pure. */
import { lazyPattern } from '../shared/lazy-pattern.ts'
import type { HostModelRequest, ModelUsage } from './host-model.ts'
import { estimateTokens } from './token-estimate.ts'

export interface LearningCost {
  /** The provider's id of the model that answered last. Missing if no call reported one. */
  readonly model?: string
  /** Number of model calls, including retries and failed ones. */
  readonly calls: number
  readonly inputTokens: number
  /** The part of `inputTokens` that came from the provider's prefix cache. */
  readonly cachedInputTokens: number
  readonly outputTokens: number
  /** True if the provider did not report the tokens of at least one call, so that the sums contain an estimate. */
  readonly estimated: boolean
  /** Milliseconds spent waiting for the model. */
  readonly durationMs: number
}

/** One finished or abandoned call. */
export interface FinishedCall {
  readonly request: Pick<HostModelRequest, 'system' | 'messages'>
  /** Text of the answer; `undefined` if there was none. */
  readonly text: string | undefined
  readonly usage: ModelUsage | undefined
  readonly model: string | undefined
  readonly durationMs: number
}

/** Larger counts are treated as invalid. */
const MAX_TOKENS = 1_000_000_000
const MAX_MODEL_CHARS = 200
/** The estimate of a longer text is computed from its length alone. */
const MAX_ESTIMATED_CHARS = 100_000
const CHARS_PER_TOKEN = 4

const readCount = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 && value <= MAX_TOKENS ? value : undefined

const property = (value: unknown, key: string): unknown =>
  typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined

/** Reads the counts that are whole numbers from 0 to a billion; `undefined` without input and output tokens. A cached count above the input count is dropped. */
export const readUsage = (value: unknown): ModelUsage | undefined => {
  const inputTokens = readCount(property(value, 'inputTokens'))
  const cached = readCount(property(value, 'cachedInputTokens'))
  const outputTokens = readCount(property(value, 'outputTokens'))
  if (inputTokens === undefined && outputTokens === undefined) return undefined
  return {
    ...(inputTokens === undefined ? {} : { inputTokens }),
    ...(inputTokens === undefined || cached === undefined || cached > inputTokens ? {} : { cachedInputTokens: cached }),
    ...(outputTokens === undefined ? {} : { outputTokens }),
  }
}

const UNSHOWN = lazyPattern(String.raw`[\p{C}\s]+`, 'gu')

/** One line of at most 200 characters; `undefined` if the value is not a name. */
export const readModelId = (value: unknown): string | undefined => {
  if (typeof value !== 'string') return undefined
  const line = value.slice(0, MAX_MODEL_CHARS).replace(UNSHOWN.read(), ' ').trim()
  return line === '' ? undefined : line
}

const estimate = (text: string): number =>
  text.length > MAX_ESTIMATED_CHARS ? Math.ceil(text.length / CHARS_PER_TOKEN) : estimateTokens(text)

/** The request of a failed call counts as sent, because it may have been billed. */
export const costOfCall = ({ request, text = '', usage, model, durationMs }: FinishedCall): LearningCost => {
  const sent = () => estimate(request.system) + request.messages.reduce((sum, { content }) => sum + estimate(content), 0)
  return {
    ...(model === undefined ? {} : { model }),
    calls: 1,
    inputTokens: usage?.inputTokens ?? sent(),
    cachedInputTokens: usage?.cachedInputTokens ?? 0,
    outputTokens: usage?.outputTokens ?? estimate(text),
    estimated: usage?.inputTokens === undefined || usage.outputTokens === undefined,
    durationMs: Math.max(0, durationMs),
  }
}
