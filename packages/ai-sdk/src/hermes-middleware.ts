/** Hermes as middleware for `wrapLanguageModel`: one object for ai 5, 6 and 7, for generateText, streamText and agents alike. */
import type { Session } from '@hermes/core'
import { callHost, type HermesWarning, type HermesWarningListener, warnOnce } from './hermes-warning.ts'
import { hostModel } from './host-model.ts'
import { placeBlock } from './place-block.ts'
import {
  asRecord,
  type CallParams,
  type GenerateResult,
  type InnerModel,
  type InnerStreamModel,
  type StreamResult,
} from './provider-protocol.ts'
import { type HermesTarget, resolveSession } from './resolve-session.ts'
import { type StepReply, stepReply } from './step-reply.ts'
import { tapStream } from './tap-stream.ts'
import { toTurnMessages } from './to-turn-messages.ts'
import type { ReviewUsage } from './token-usage.ts'
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

interface Step<Params> {
  readonly params: Params
  /** A part of the answer, before the host sees it. */
  see(part: unknown): void
  end(model: InnerModel<Params, GenerateResult>, reply: StepReply, finishReason: unknown): void
}

/** Nobody waits for the answer any more, whether or not the provider went on with it. */
const isAborted = ({ abortSignal }: CallParams): boolean => abortSignal?.aborted === true

const beginStep = async <Params extends CallParams>(
  session: Session,
  params: Params,
  options: HermesMiddlewareOptions,
): Promise<Step<Params>> => {
  const messages = toTurnMessages(params.prompt)
  const block = await session.systemBlock()
  session.beginStep(messages)
  const prompt = placeBlock(params.prompt, block, options.cacheControl === undefined ? {} : { cacheControl: options.cacheControl })
  const sent = prompt === params.prompt ? params : { ...params, prompt }
  return {
    params: sent,
    see(part) {
      const call = toToolCall(part)
      if (call !== undefined) session.noteToolCall({ ...call, prompt: messages, signal: params.abortSignal })
    },
    end(model, reply, finishReason) {
      const ending = reply.ending(finishReason)
      if (ending === 'failed') return
      const { headers } = asRecord(params)
      const review = { headers, providerOptions: options.reviewProviderOptions, onUsage: options.onReviewUsage }
      session.endStep({
        prompt: messages,
        turnFinished: ending === 'finished',
        calledTools: reply.calledTools,
        reply: reply.messages(),
        model: hostModel(model, review, { params: sent, reply: reply.text() }),
      })
    },
  }
}

/**
 * `target`: one session, or a Hermes whose session each call names in `providerOptions.hermes.sessionId`. Place it first in a list of middleware, so that
 * the others see the final prompt. Nothing of Hermes ever fails a call: a failed call fails as it would without us, and counts for nothing.
 */
export const hermesMiddleware = (target: HermesTarget, options: HermesMiddlewareOptions = {}): HermesMiddleware => {
  // biome-ignore lint/suspicious/noConsole: wrong wiring must not be silent, and there is no listener yet to tell
  const listener = options.onWarning ?? warnOnce((line) => console.warn(line))
  const warn = (warning: HermesWarning) => callHost(listener, warning)

  const unexpected = (cause: unknown): undefined => {
    warn({ code: 'unexpected', message: 'Hermes failed inside a model call; the call went on without it. Please report the cause.', cause })
  }

  const begin = async <Params extends CallParams>(params: Params): Promise<Step<Params> | undefined> => {
    try {
      const session = resolveSession(target, params.providerOptions, warn)
      return session === undefined ? undefined : await beginStep(session, params, options)
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
      const step = await begin(params)
      if (step === undefined) return model.doGenerate(params)
      const result = await model.doGenerate(step.params)
      guarded(() => {
        const reply = stepReply()
        for (const part of result.content) {
          step.see(part)
          reply.add(part)
        }
        if (!isAborted(params)) step.end(model, reply, result.finishReason)
      })
      return result
    },

    async wrapStream({ params, model }) {
      const step = await begin(params)
      if (step === undefined) return model.doStream(params)
      const result = await model.doStream(step.params)
      const reply = stepReply()
      let finish: Readonly<Record<string, unknown>> | undefined
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
            if (finish !== undefined) step.end(model, reply, finish['finishReason'])
          }),
      })
      return { ...result, stream }
    },
  }
}
