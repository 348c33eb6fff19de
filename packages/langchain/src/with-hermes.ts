/** `withHermes(model, …)`: a Runnable that replaces a model, for `prompt.pipe(withHermes(model, session)).pipe(parser)`. */
import type { HostModel } from '@hermes/core'
import { beginModelCall, fencesByUserMessage, type HermesWarningListener, warningListener, warnUnexpected } from '@hermes/core/adapter'
import type { BaseLanguageModelInput } from '@langchain/core/language_models/base'
import type { BaseMessage } from '@langchain/core/messages'
import { Runnable, RunnableBinding, type RunnableConfig } from '@langchain/core/runnables'
import { bareModel, isTextModel } from './bare-model.ts'
import { type AnyModel, type ChatMethodsOf, chatMethods, showWrapped } from './chat-methods.ts'
import { callOf, type HermesCall, isAutomated } from './hermes-call.ts'
import { checkTarget, type HermesTarget } from './hermes-target.ts'
import { hostModel, type ReviewModel } from './host-model.ts'
import { runsInsideTool } from './inside-tool.ts'
import { boundTools } from './offered-tools.ts'
import { originalReasonings } from './original-reasoning.ts'
import { readPromptInput } from './prompt-input.ts'
import { resolveSession } from './resolve-session.ts'
import { chunkScrubber, type Scrubbing, scrubAnswer } from './scrub-message.ts'
import { scrubbedOptions } from './scrubbed-model.ts'
import { type StepReply, stepReply } from './step-reply.ts'
import { modelIdOf } from './token-usage.ts'

export interface WithHermesOptions {
  /** A model for reviews only. Default: the model itself, without what is bound to it. */
  readonly reviewModel?: ReviewModel
  /** Called on misconfiguration. Default: `console.warn`, once for each kind. */
  readonly onWarning?: HermesWarningListener
}

interface Step {
  readonly input: BaseLanguageModelInput
  /** Undefined if nothing was recalled. */
  readonly scrubbing: Scrubbing | undefined
  end(reply: StepReply): void
  /** The answer is not whole. */
  interrupted(reply: StepReply): void
}

const MIXED =
  "A prompt is one text, so it is unknown whose words it contains, and none count as the user's. Use ChatPromptTemplate with the user's words in a separate human message, or HermesMemory as the memory of a chain."

type Called = Partial<RunnableConfig> | undefined

class HermesRunnable<Output, Options extends RunnableConfig> extends Runnable<BaseLanguageModelInput, Output, Options> {
  readonly lc_namespace = ['hermes', 'langchain']
  override readonly lc_serializable = false
  readonly #model: Runnable<BaseLanguageModelInput, Output, Options>
  readonly #target: HermesTarget
  readonly #reviewModel: ReviewModel | undefined
  readonly #textModel: boolean
  readonly #warn: HermesWarningListener
  readonly #reasoningOf = originalReasonings()

  constructor(model: Runnable<BaseLanguageModelInput, Output, Options>, target: HermesTarget, options: WithHermesOptions) {
    super()
    this.#model = model
    this.#target = target
    this.#reviewModel = options.reviewModel ?? bareModel(model)
    this.#textModel = isTextModel(model)
    this.#warn = warningListener(options.onWarning)
  }

  override async invoke(input: BaseLanguageModelInput, options?: Partial<Options>): Promise<Output> {
    const step = await this.#begin(input, options)
    const scrubbing = step?.scrubbing
    const output = await this.#model.invoke(step?.input ?? input, scrubbing ? scrubbedOptions(options, scrubbing) : options)
    const shown = scrubbing ? scrubAnswer(output, scrubbing) : output
    this.#report(step, [shown], 'end')
    return shown
  }

  override async *_streamIterator(input: BaseLanguageModelInput, options?: Partial<Options>): AsyncGenerator<Output> {
    const step = await this.#begin(input, options)
    const scrubbing = step?.scrubbing
    const scrubber = scrubbing && chunkScrubber(scrubbing)
    const chunks: Output[] = []
    const called = scrubbing ? scrubbedOptions(options, scrubbing) : options
    const held = (): readonly Output[] => (scrubber?.end() ?? []) as readonly Output[]
    let isWhole = false
    try {
      for await (const chunk of await this.#model.stream(step?.input ?? input, called)) {
        const shown = scrubber ? scrubber.chunk(chunk) : chunk
        chunks.push(shown)
        yield shown
      }
      isWhole = true
    } catch (cause) {
      yield* held()
      throw cause
    } finally {
      // The stream failed, was aborted, or is not read to its end.
      if (!isWhole) this.#report(step, chunks, 'interrupted')
    }
    const rest = held()
    chunks.push(...rest)
    yield* rest
    this.#report(step, chunks, 'end')
  }

  async #begin(input: BaseLanguageModelInput, options: Called): Promise<Step | undefined> {
    try {
      const call = callOf(options)
      const found = resolveSession(this.#target, call, this.#warn)
      if (found === undefined) return undefined
      const prompt = readPromptInput(input, this.#textModel)
      if (prompt.mixed) this.#warn({ code: 'ambiguous-values', message: MIXED })
      const step = await beginModelCall(found, {
        prompt: prompt.turnMessages,
        offered: boundTools(this.#model, options),
        modelId: modelIdOf(this.#model),
        nested: runsInsideTool(call.configurable) || undefined,
        automated: isAutomated(call.configurable),
        signal: options?.signal,
      })
      const fences = fencesByUserMessage(prompt.turnMessages, step.recalled)
      const reasoning = this.#reasoningOf(found.session)
      const sent = prompt.withPlaced({ block: step.block, fences, reasoning })
      const recalled = step.recalled.map(({ text }) => text)
      return {
        input: sent.input,
        scrubbing: recalled.length === 0 ? undefined : { fences: recalled, onReasoning: reasoning.note },
        interrupted: (reply) => step.interrupted(reply.messages()),
        end: (reply) => {
          for (const toolCall of reply.toolCalls()) step.noteToolCall(toolCall)
          const { turnFinished, calledTools } = reply
          const model = this.#reviewer(sent.messages, reply, call)
          step.end({ turnFinished, calledTools, reply: reply.messages(), usage: reply.usage(), model })
        },
      }
    } catch (cause) {
      warnUnexpected(this.#warn, cause)
      return undefined
    }
  }

  #report(step: Step | undefined, output: readonly Output[], as: 'end' | 'interrupted'): void {
    if (step === undefined) return
    try {
      const reply = stepReply()
      for (const part of output) reply.add(part)
      step[as](reply)
    } catch (cause) {
      warnUnexpected(this.#warn, cause)
    }
  }

  #reviewer(messages: readonly BaseMessage[], reply: StepReply, { configurable }: HermesCall): HostModel | undefined {
    return this.#reviewModel && hostModel(this.#reviewModel, { configurable, last: { messages, reply: reply.text() } })
  }
}

/** A model with only settings or tools bound to it, without wrappers such as retries. */
const isPlainBinding = (model: AnyModel): model is RunnableBinding<BaseLanguageModelInput, unknown> =>
  Object.getPrototypeOf(model) === RunnableBinding.prototype

const wrap = (model: AnyModel, target: HermesTarget, options: WithHermesOptions): AnyModel => {
  if (isPlainBinding(model)) {
    // Wraps the model inside the binding, so that LangGraph and others still find the bound tools.
    const { bound, kwargs, config, configFactories } = model
    const inner = wrap(bound, target, options)
    return new RunnableBinding({ bound: inner, config, ...(kwargs && { kwargs }), ...(configFactories && { configFactories }) })
  }
  const again = (made: AnyModel): AnyModel => wrap(made, target, options)
  return Object.assign(new HermesRunnable(model, target, options), showWrapped(model), chatMethods(model, again))
}

/**
 * `model`: a chat or text model, with or without bound tools or settings. `target`: one session; the Hermes of one owner, where each call
 * names its session in `configurable.sessionId` or `configurable.thread_id`; or homes, where the call also names its owner, as `user_id`. A
 * call without a configuration belongs to the surrounding run. Streams are passed on chunk by chunk. Hermes never makes a call fail. The
 * result has `bindTools` and `withStructuredOutput` if `model` has them.
 */
export function withHermes<Output, Options extends RunnableConfig, Model>(
  model: Model & Runnable<BaseLanguageModelInput, Output, Options>,
  target: HermesTarget,
  options?: WithHermesOptions,
): Runnable<BaseLanguageModelInput, Output, Options> & ChatMethodsOf<Model>
export function withHermes(model: AnyModel, target: HermesTarget, options: WithHermesOptions = {}): AnyModel {
  // The types forbid other values, but plain JavaScript may pass them.
  if (typeof model !== 'object' || model === null || typeof model.invoke !== 'function')
    throw new TypeError("withHermes needs a model such as new ChatOpenAI(), not a model's name.")
  return wrap(model, checkTarget('withHermes', target), options)
}
