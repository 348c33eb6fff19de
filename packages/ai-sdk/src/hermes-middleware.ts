/** Hermes as middleware for `wrapLanguageModel`: one object for ai 5, 6 and 7, for generateText, streamText and agents. */
import type { Learned, TurnMessage } from '@hermes/core'
import {
  asRecord,
  asText,
  beginModelCall,
  beginUnownedCall,
  checkTarget,
  fencesByUserMessage,
  functionsIn,
  type HermesTarget,
  type HermesWarningListener,
  insideCall,
  type ModelCall,
  placeFences,
  sharedTarget,
  warningListener,
} from '@hermes/core/adapter'
import { resolveSession } from './hermes-call-options.ts'
import { hostModel } from './host-model.ts'
import { withLearned } from './learned.ts'
import { type OriginalReasoning, originalReasonings } from './original-reasoning.ts'
import { placeBlock } from './place-block.ts'
import type { CallParams, GenerateResult, InnerModel, InnerStreamModel, StreamResult } from './provider-protocol.ts'
import { scrubContent, scrubStream } from './scrub-answer.ts'
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
  /** The answer as the host may see it; the same objects if nothing was recalled. */
  scrubbed(content: readonly unknown[]): readonly unknown[]
  scrubbedStream(stream: ReadableStream<unknown>): ReadableStream<unknown>
  /** Called with each part of the answer before the host receives it. */
  see(part: unknown): void
  end(model: InnerModel<Params, GenerateResult>, reply: StepReply, finish: StepFinish): void
  /** What to put on the result, if it finishes a turn. */
  learned(reply: StepReply, finish: StepFinish): Learned | undefined
  /** The answer is not whole: nothing is counted, but the host may show it in later prompts. */
  interrupted(reply: StepReply): void
}

/** The host no longer waits for the answer, even if the provider continued. */
const isAborted = ({ abortSignal }: CallParams): boolean => abortSignal?.aborted === true

const see = (call: ModelCall, part: unknown): void => {
  const toolCall = toToolCall(part)
  if (toolCall !== undefined) call.noteToolCall(toolCall)
}

/** A step of a call that recalls nothing. */
const plainStep = <Params extends CallParams>(call: ModelCall, params: Params): Step<Params> => ({
  params,
  scrubbed: (content) => content,
  scrubbedStream: (stream) => stream,
  see: (part) => see(call, part),
  end: () => undefined,
  learned: () => undefined,
  interrupted: (reply) => call.interrupted(reply.messages()),
})

interface StepContext extends HermesMiddlewareOptions {
  readonly turn: readonly TurnMessage[]
  readonly reasoning: OriginalReasoning
}

const stepOf = <Params extends CallParams>(call: ModelCall, params: Params, context: StepContext): Step<Params> => {
  const { cacheControl = false, reviewProviderOptions, onReviewUsage, turn, reasoning } = context
  const fenced = placeFences(params.prompt, fencesByUserMessage(turn, call.recalled))
  const prompt = placeBlock(reasoning.restore(fenced), call.block, { cacheControl })
  const sent = prompt === params.prompt ? params : { ...params, prompt }
  const fences = call.recalled.map(({ text }) => text)
  const plain = plainStep(call, sent)
  return {
    ...plain,
    ...(fences.length === 0
      ? {}
      : {
          scrubbed: (content) => scrubContent(content, fences, reasoning.note),
          scrubbedStream: (stream) => scrubStream(stream, fences, reasoning.note),
        }),
    end(model, reply, finish) {
      const ending = reply.ending(finish.finishReason)
      if (ending === 'failed') return plain.interrupted(reply)
      const review = { headers: asRecord(params)['headers'], providerOptions: reviewProviderOptions, onUsage: onReviewUsage }
      call.end({
        turnFinished: ending === 'finished',
        calledTools: reply.calledTools,
        reply: reply.messages(),
        usage: modelUsageOf(finish),
        model: hostModel(model, review, { params: sent, reply: reply.text() }),
      })
    },
    learned: (reply, { finishReason }) => (reply.ending(finishReason) === 'finished' ? call.takeLearned() : undefined),
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
  const reasoningOf = originalReasonings()

  const guarded = insideCall(warn)

  const begin = <Params extends CallParams>(params: Params, model: InnerModel<Params, GenerateResult>): Promise<Step<Params> | undefined> =>
    guarded(async () => {
      const found = resolveSession(target, params.providerOptions, warn)
      const start = () => ({ prompt: toTurnMessages(params.prompt), signal: params.abortSignal })
      if (found !== undefined) {
        const call = { ...start(), offered: functionsIn(params.tools), modelId: asText(model.modelId), automated: found.automated }
        return stepOf(await beginModelCall(found, call), params, { ...options, turn: call.prompt, reasoning: reasoningOf(found.session) })
      }
      const shared = sharedTarget(target)
      return shared && plainStep(beginUnownedCall(shared, start()), params)
    })

  return {
    specificationVersion: 'v3',

    async wrapGenerate({ params, model }) {
      const step = await begin(params, model)
      if (step === undefined) return model.doGenerate(params)
      const result = await model.doGenerate(step.params)
      let shown = result
      guarded(() => {
        const content = step.scrubbed(result.content)
        // The type is the host's; only parts of the same kind are replaced.
        if (content !== result.content) shown = { ...result, content } as typeof result
        const reply = stepReply()
        for (const part of content) {
          step.see(part)
          reply.add(part)
        }
        if (isAborted(params)) return step.interrupted(reply)
        step.end(model, reply, result)
        const learned = step.learned(reply, result)
        if (learned) shown = { ...shown, providerMetadata: withLearned(result.providerMetadata, learned, model) }
      })
      return shown
    },

    async wrapStream({ params, model }) {
      const step = await begin(params, model)
      if (step === undefined) return model.doStream(params)
      const result = await model.doStream(step.params)
      const reply = stepReply()
      let finish: StepFinish | undefined
      const stream = tapStream(step.scrubbedStream(result.stream), {
        onPart: (part) => {
          let shown = part
          guarded(() => {
            const record = asRecord(part)
            step.see(part)
            if (record['type'] !== 'finish') return reply.add(part)
            if (isAborted(params)) return
            finish = record
            const learned = step.learned(reply, finish)
            if (learned) shown = { ...record, providerMetadata: withLearned(record['providerMetadata'], learned, model) }
          })
          return shown
        },
        onEnd: () =>
          guarded(() => {
            if (finish === undefined) step.interrupted(reply)
            else step.end(model, reply, finish)
          }),
        onFailure: () => guarded(() => step.interrupted(reply)),
      })
      return { ...result, stream }
    },
  }
}
