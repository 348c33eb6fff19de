/** Hermes as middleware for `wrapLanguageModel`: one object for ai 5, 6 and 7, for generateText, streamText and agents alike. */
import type { SharedTools } from '@hermes/core/adapter'
import { callHost, type HermesWarning, type HermesWarningListener, warnOnce } from './hermes-warning.ts'
import { hostModel } from './host-model.ts'
import { offeredTools } from './offered-tools.ts'
import { placeBlock } from './place-block.ts'
import {
  asRecord,
  asText,
  type CallParams,
  type GenerateResult,
  type InnerModel,
  type InnerStreamModel,
  type StreamResult,
} from './provider-protocol.ts'
import { checkTarget, type FoundSession, type HermesTarget, resolveSession, sharedTarget } from './resolve-session.ts'
import { type StepReply, stepReply } from './step-reply.ts'
import { tapStream } from './tap-stream.ts'
import { toTurnMessages } from './to-turn-messages.ts'
import { type CountedCall, type ReviewUsage, toModelUsage } from './token-usage.ts'
import { toToolCall } from './tool-call-part.ts'

export interface HermesMiddlewareOptions {
  /** Puts an Anthropic cache breakpoint on the block, in a system message of its own. Default: false; Anthropic allows four. */
  readonly cacheControl?: boolean
  /** Provider options for reviews, such as `{ openai: { store: false } }`. Default: none; a replay keeps the host's. */
  readonly reviewProviderOptions?: Readonly<Record<string, Readonly<Record<string, unknown>>>>
  /** Told what each review cost, in tokens. */
  readonly onReviewUsage?: (usage: ReviewUsage) => void
  /** Called for wrong wiring. Default: each different warning once, with `console.warn`. */
  readonly onWarning?: HermesWarningListener
}

/** Assignable to `LanguageModelMiddleware` of ai 5, 6 and 7 without a cast; it names no type of theirs, so any copy of `ai` will do. */
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

/** What a generate result, or the last part of a stream, says of its end. */
interface StepFinish extends CountedCall {
  readonly finishReason?: unknown
}

interface Step<Params> {
  readonly params: Params
  /** A part of the answer, before the host sees it. */
  see(part: unknown): void
  end(model: InnerModel<Params, GenerateResult>, reply: StepReply, finish: StepFinish): void
}

/** Nobody waits for the answer any more, whether or not the provider went on with it. */
const isAborted = ({ abortSignal }: CallParams): boolean => abortSignal?.aborted === true

const beginStep = async <Params extends CallParams>(
  { session, offering }: FoundSession,
  params: Params,
  modelId: string,
  options: HermesMiddlewareOptions,
): Promise<Step<Params>> => {
  const messages = toTurnMessages(params.prompt)
  const offered = offeredTools(params.tools)
  for (const shared of offering) shared.noteOffered(session, offered)
  const block = await session.systemBlock()
  session.beginStep(messages, modelId === '' ? {} : { modelId })
  const prompt = placeBlock(params.prompt, block, options.cacheControl === undefined ? {} : { cacheControl: options.cacheControl })
  const sent = prompt === params.prompt ? params : { ...params, prompt }
  return {
    params: sent,
    see(part) {
      const call = toToolCall(part)
      if (call !== undefined) session.noteToolCall({ ...call, prompt: messages, signal: params.abortSignal })
    },
    end(model, reply, finish) {
      const ending = reply.ending(finish.finishReason)
      if (ending === 'failed') return
      const { headers } = asRecord(params)
      const review = { headers, providerOptions: options.reviewProviderOptions, onUsage: options.onReviewUsage }
      const usage = toModelUsage(finish)
      session.endStep({
        prompt: messages,
        turnFinished: ending === 'finished',
        calledTools: reply.calledTools,
        reply: reply.messages(),
        ...(usage ? { usage } : {}),
        model: hostModel(model, review, { params: sent, reply: reply.text() }),
      })
    },
  }
}

/** A call of nobody's goes out as it is; its tool calls are reported, so that none of them passes for a session's. */
const unownedStep = <Params extends CallParams>(shared: SharedTools, params: Params): Step<Params> => {
  const prompt = toTurnMessages(params.prompt)
  shared.beginUnownedStep(prompt)
  return {
    params,
    see(part) {
      const call = toToolCall(part)
      if (call !== undefined) shared.noteUnownedCall({ ...call, prompt, signal: params.abortSignal })
    },
    end: () => undefined,
  }
}

/**
 * One person: `hermesMiddleware(session)`, or `hermesMiddleware(createHermes(…))`, where each call names its session. A server of many people:
 * `hermesMiddleware(createHermesHomes(…))`, where each call names its owner too, in `providerOptions: { hermes: { user, tenant, sessionId } }`; a call without
 * goes out without anybody's memory.
 *
 * Place it first in a list of middleware, so that the others see the final prompt. Nothing of Hermes ever fails a call: a failed call fails as it would
 * without us, and counts for nothing.
 */
export const hermesMiddleware = (target: HermesTarget, options: HermesMiddlewareOptions = {}): HermesMiddleware => {
  checkTarget('hermesMiddleware', target)
  // biome-ignore lint/suspicious/noConsole: wrong wiring must not be silent, and there is no listener yet to tell
  const listener = options.onWarning ?? warnOnce((line) => console.warn(line))
  const warn = (warning: HermesWarning) => callHost(listener, warning)

  const unexpected = (cause: unknown): undefined => {
    warn({ code: 'unexpected', message: 'Hermes failed inside a model call; the call went on without it. Please report the cause.', cause })
  }

  const begin = async <Params extends CallParams>(
    params: Params,
    model: InnerModel<Params, GenerateResult>,
  ): Promise<Step<Params> | undefined> => {
    try {
      const found = resolveSession(target, params.providerOptions, warn)
      if (found !== undefined) return await beginStep(found, params, asText(model.modelId), options)
      const shared = sharedTarget(target)
      return shared && unownedStep(shared, params)
    } catch (cause) {
      return unexpected(cause)
    }
  }

  const guarded = (work: () => void): void => {
    try {
      work()
    } catch (cause) {
      unexpected(cause)
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
