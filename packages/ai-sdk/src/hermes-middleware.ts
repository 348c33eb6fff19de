/** Hermes as middleware for `wrapLanguageModel`: one object for ai 5, 6 and 7, for generateText, streamText and agents. */
import {
  asRecord,
  asText,
  beginModelCall,
  beginUnownedCall,
  checkTarget,
  type HermesTarget,
  type HermesWarningListener,
  type ModelCall,
  sharedTarget,
  warningListener,
  warnUnexpected,
} from '@hermes/core/adapter'
import { hostModel } from './host-model.ts'
import { offeredTools } from './offered-tools.ts'
import { placeBlock } from './place-block.ts'
import type { CallParams, GenerateResult, InnerModel, InnerStreamModel, StreamResult } from './provider-protocol.ts'
import { resolveSession } from './resolve-session.ts'
import { type StepReply, stepReply } from './step-reply.ts'
import { tapStream } from './tap-stream.ts'
import { toTurnMessages } from './to-turn-messages.ts'
import { type CountedCall, modelUsageOf, type ReviewUsage } from './token-usage.ts'
import { toToolCall } from './tool-call-part.ts'

export interface HermesMiddlewareOptions {
  /**
   * Puts the block into a system message of its own with an Anthropic cache breakpoint. Default: false; Anthropic allows at most four
   * breakpoints.
   */
  readonly cacheControl?: boolean
  /**
   * Provider options for reviews, such as `{ openai: { store: false } }`. Default: none. Reviews that replay the host's call keep the
   * host's options as well.
   */
  readonly reviewProviderOptions?: Readonly<Record<string, Readonly<Record<string, unknown>>>>
  /** Called with the token usage of each review. */
  readonly onReviewUsage?: (usage: ReviewUsage) => void
  /** Called on misconfiguration. Default: `console.warn`, once for each different warning. */
  readonly onWarning?: HermesWarningListener
}

/** Assignable to `LanguageModelMiddleware` of ai 5, 6 and 7 without a cast. Refers to no type of `ai`, so it works with any copy of it. */
export interface HermesMiddleware {
  readonly specificationVersion: 'v3'
  readonly wrapGenerate: <Params extends CallParams, Result extends GenerateResult>(call: {
    readonly params: Params
    readonly model: InnerModel<Params, Result>
  }) => Promise<Result>
  readonly wrapStream: <Params extends CallParams, Generated extends GenerateResult, Result extends StreamResult>(call: {
    readonly params: Params
    readonly model: InnerModel<Params, Generated> & InnerStreamModel<Params, Result>
  }) => Promise<Result>
}

/** What a generate result or the last part of a stream reports at the end of a call. */
interface StepFinish extends CountedCall {
  readonly finishReason?: unknown
}

interface Step<Params> {
  readonly params: Params
  /** Called with each part of the answer before the host receives it. */
  see(part: unknown): void
  end(model: InnerModel<Params, GenerateResult>, reply: StepReply, finish: StepFinish): void
}

/** The host no longer waits for the answer, even if the provider continued. */
const isAborted = ({ abortSignal }: CallParams): boolean => abortSignal?.aborted === true

const see = (call: ModelCall, part: unknown): void => {
  const toolCall = toToolCall(part)
  if (toolCall !== undefined) call.noteToolCall(toolCall)
}

const stepOf = <Params extends CallParams>(call: ModelCall, params: Params, options: HermesMiddlewareOptions): Step<Params> => {
  const { cacheControl = false, reviewProviderOptions, onReviewUsage } = options
  const prompt = placeBlock(params.prompt, call.block, { cacheControl })
  const sent = prompt === params.prompt ? params : { ...params, prompt }
  return {
    params: sent,
    see: (part) => see(call, part),
    end(model, reply, finish) {
      const ending = reply.ending(finish.finishReason)
      if (ending === 'failed') return
      const review = { headers: asRecord(params)['headers'], providerOptions: reviewProviderOptions, onUsage: onReviewUsage }
      call.end({
        turnFinished: ending === 'finished',
        calledTools: reply.calledTools,
        reply: reply.messages(),
        usage: modelUsageOf(finish),
        model: hostModel(model, review, { params: sent, reply: reply.text() }),
      })
    },
  }
}

/**
 * One owner: `hermesMiddleware(session)`, or `hermesMiddleware(createHermes(…))`, where each call names its session. Many owners:
 * `hermesMiddleware(createHermesHomes(…))`, where each call also names its owner, in
 * `providerOptions: { hermes: { user, tenant, sessionId } }`; a call without an owner runs without memory.
 *
 * Place it first in a list of middleware, so that the others see the final prompt. Hermes never makes a call fail; a call that fails by
 * itself is not counted.
 */
export const hermesMiddleware = (target: HermesTarget, options: HermesMiddlewareOptions = {}): HermesMiddleware => {
  checkTarget('hermesMiddleware', target)
  const warn = warningListener(options.onWarning)

  const begin = async <Params extends CallParams>(
    params: Params,
    model: InnerModel<Params, GenerateResult>,
  ): Promise<Step<Params> | undefined> => {
    try {
      const found = resolveSession(target, params.providerOptions, warn)
      const start = () => ({ prompt: toTurnMessages(params.prompt), signal: params.abortSignal })
      if (found !== undefined) {
        const call = { ...start(), offered: offeredTools(params.tools), modelId: asText(model.modelId) }
        return stepOf(await beginModelCall(found, call), params, options)
      }
      const shared = sharedTarget(target)
      const unowned = shared && beginUnownedCall(shared, start())
      return unowned && { params, see: (part) => see(unowned, part), end: () => undefined }
    } catch (cause) {
      warnUnexpected(warn, cause)
      return undefined
    }
  }

  const guarded = (work: () => void): void => {
    try {
      work()
    } catch (cause) {
      warnUnexpected(warn, cause)
    }
  }

  return {
    specificationVersion: 'v3',

    async wrapGenerate({ params, model }) {
      const step = await begin(params, model)
      if (step === undefined) return model.doGenerate(params)
      const result = await model.doGenerate(step.params)
      guarded(() => {
        const reply = stepReply()
        for (const part of result.content) {
          step.see(part)
          reply.add(part)
        }
        if (!isAborted(params)) step.end(model, reply, result)
      })
      return result
    },

    async wrapStream({ params, model }) {
      const step = await begin(params, model)
      if (step === undefined) return model.doStream(params)
      const result = await model.doStream(step.params)
      const reply = stepReply()
      let finish: StepFinish | undefined
      const stream = tapStream(result.stream, {
        onPart: (part) =>
          guarded(() => {
            const record = asRecord(part)
            step.see(part)
            if (record['type'] !== 'finish') reply.add(part)
            else if (!isAborted(params)) finish = record
          }),
        onEnd: () =>
          guarded(() => {
            if (finish !== undefined) step.end(model, reply, finish)
          }),
      })
      return { ...result, stream }
    },
  }
}
