/** The user's model, as the reviewer of the scenarios and as the assistant that answers their questions. Sums up its token usage. */
import type { HostModel } from '@hermes/core'
import type { Failure } from '../../answer.ts'
import type { World } from '../../world.ts'
import type { Assistant } from './play-scenario.ts'

/** Token counts are those that the provider reports. */
export interface ModelUse {
  /** Number of successful calls. */
  readonly calls: number
  readonly inputTokens: number
  /** The part of the input that was served from a cache. */
  readonly cachedInputTokens: number
  readonly outputTokens: number
  /** Number of successful calls without token counts. */
  readonly unmeasured: number
}

export interface EvalModel {
  /** Name shown to a person. */
  readonly label: string
  /** What to check if a call fails. */
  readonly advice: string
  readonly reviewer: HostModel
  readonly assistant: Assistant
  readonly use: () => ModelUse
}

interface CallUsage {
  readonly inputTokens: number | undefined
  readonly cachedInputTokens: number | undefined
  readonly outputTokens: number | undefined
}

const NOTHING_USED: ModelUse = { calls: 0, inputTokens: 0, cachedInputTokens: 0, outputTokens: 0, unmeasured: 0 }

const addUse = (use: ModelUse, { inputTokens, cachedInputTokens, outputTokens }: CallUsage): ModelUse => ({
  calls: use.calls + 1,
  inputTokens: use.inputTokens + (inputTokens ?? 0),
  cachedInputTokens: use.cachedInputTokens + (cachedInputTokens ?? 0),
  outputTokens: use.outputTokens + (outputTokens ?? 0),
  unmeasured: use.unmeasured + (inputTokens === undefined || outputTokens === undefined ? 1 : 0),
})

/** Leaves room for a model that reasons before it answers. */
const ANSWER_TOKENS = 2_000

const INSTRUCTIONS = 'You are a helpful assistant. Answer in one short sentence.'

/** `signal`: cancels pending calls. */
export const openEvalModel = async (named: string | undefined, { env }: World, signal: AbortSignal): Promise<EvalModel | Failure> => {
  const [{ chooseModel }, { hostModel }] = await Promise.all([import('../../model/choose-model.ts'), import('@hermes/ai-sdk')])
  const chosen = await chooseModel(env, { modelName: named })
  if ('problem' in chosen) return { code: 'invalid', message: `The evaluation needs a model of your own. ${chosen.problem}` }
  const { model, label, advice } = chosen
  let use = NOTHING_USED
  const review = hostModel(model, {
    onUsage: (usage) => {
      use = addUse(use, usage)
    },
  })
  return {
    label,
    advice,
    reviewer: (request) => review({ ...request, signal: AbortSignal.any([request.signal, signal]) }),
    assistant: async (system, question) => {
      const { content, usage } = await model.doGenerate({
        prompt: [
          { role: 'system', content: `${INSTRUCTIONS}\n\n${system}`.trim() },
          { role: 'user', content: [{ type: 'text', text: question }] },
        ],
        maxOutputTokens: ANSWER_TOKENS,
        abortSignal: signal,
      })
      use = addUse(use, {
        inputTokens: usage.inputTokens.total,
        cachedInputTokens: usage.inputTokens.cacheRead,
        outputTokens: usage.outputTokens.total,
      })
      return content.map((part) => (part.type === 'text' ? part.text : '')).join('')
    },
    use: () => use,
  }
}
