/** What the background calls to the host's model cost: as the provider counted, or estimated where it did not say. Pure. */
import type { HostModelRequest, ModelUsage } from './host-model.ts'
import { estimateTokens } from './token-estimate.ts'

export interface LearningCost {
  /** As the provider names it; of several models the one that answered last. Undefined where no call named one. */
  readonly model?: string
  /** Calls of the model, retries and failed ones included. */
  readonly calls: number
  readonly inputTokens: number
  /** The part of `inputTokens` that the provider's prefix cache served. */
  readonly cachedInputTokens: number
  readonly outputTokens: number
  /** For at least one call the provider named no tokens, and an estimate from its texts is part of the sums. */
  readonly estimated: boolean
  /** Milliseconds spent waiting for the model. */
  readonly durationMs: number
}

/** What is known of one call once it is over. */
export interface FinishedCall {
  readonly request: Pick<HostModelRequest, 'system' | 'messages'>
  /** The answer's text; undefined where none came. */
  readonly text: string | undefined
  readonly usage: ModelUsage | undefined
  readonly model: string | undefined
  readonly durationMs: number
}

/** No provider's call has more; what is larger is no count. */
const MAX_TOKENS = 1_000_000_000
const MAX_MODEL_CHARS = 200
/** Longer texts are not read to the end for an estimate. */
const MAX_ESTIMATED_CHARS = 100_000
const CHARS_PER_TOKEN = 4

const readCount = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 && value <= MAX_TOKENS ? value : undefined

const property = (value: unknown, key: string): unknown =>
  typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined

/**
 * The counts that are whole numbers from 0 to a billion; undefined where there is none. More cached tokens than input tokens cannot be, so the cached ones are
 * then left out.
 */
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

/** One line of at most 200 characters; undefined for what is no name. */
export const readModelId = (value: unknown): string | undefined => {
  if (typeof value !== 'string') return undefined
  const line = value
    .slice(0, MAX_MODEL_CHARS)
    .replace(/[\p{C}\s]+/gu, ' ')
    .trim()
  return line === '' ? undefined : line
}

const estimate = (text: string): number =>
  text.length > MAX_ESTIMATED_CHARS ? Math.ceil(text.length / CHARS_PER_TOKEN) : estimateTokens(text)

/** Where the model failed, the request counts as sent: whether it was paid for is not known. */
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

/** Undefined where no call was made. */
export const addCosts = (costs: readonly (LearningCost | undefined)[]): LearningCost | undefined =>
  costs.reduce<LearningCost | undefined>((sum, cost) => {
    if (!sum || !cost) return sum ?? cost
    const model = cost.model ?? sum.model
    return {
      ...(model === undefined ? {} : { model }),
      calls: sum.calls + cost.calls,
      inputTokens: sum.inputTokens + cost.inputTokens,
      cachedInputTokens: sum.cachedInputTokens + cost.cachedInputTokens,
      outputTokens: sum.outputTokens + cost.outputTokens,
      estimated: sum.estimated || cost.estimated,
      durationMs: sum.durationMs + cost.durationMs,
    }
  }, undefined)
