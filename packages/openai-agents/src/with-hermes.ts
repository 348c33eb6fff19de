/** Hermes around a model of the SDK: the block and recalled text on the way in, turns and tool calls on the way out. */
import {
  asList,
  asRecord,
  asText,
  beginModelCall,
  checkTarget,
  createContextScrubber,
  fencesByUserMessage,
  functionsIn,
  type HermesTarget,
  type HermesWarningListener,
  joinBlock,
  originalTexts,
  tellFailure,
  warningListener,
  warnUnexpected,
} from '@hermes/core/adapter'
import type { AgentModel, InnerModel, ModelRequest, ModelResponse } from './agents-protocol.ts'
import { hostModel, usageOf } from './host-model.ts'
import { endingOf, type Item, placeRecalled, restoreReasoning, scrubOutput, toItems, toTurnMessages } from './items.ts'
import { currentRun, sessionOfRun } from './run-with-hermes.ts'
import { historyBefore, noteHistory } from './stored-history.ts'

export interface WithHermesOptions {
  /** Model settings of the SDK for reviews, such as `{ store: false }`. Default: none. */
  readonly reviewSettings?: Readonly<Record<string, unknown>>
  /** Called on misconfiguration. Default: `console.warn`, once for each different warning. */
  readonly onWarning?: HermesWarningListener
}

interface Step {
  readonly sent: ModelRequest
  readonly fences: readonly string[]
  /** Reports a complete answer, and returns it as the host may see it. */
  end(response: ModelResponse): ModelResponse
  /** The answer is not whole: nothing is counted, but the host may show it in later prompts. */
  interrupted(text: string): void
}

const OUR_TOOL = /(?:^|_)(?:memory|skills_list|skill_view|skill_manage)$/

/** Under which an already wrapped model has the one inside, so that no call is counted twice. */
const INNER = Symbol.for('@hermes/openai-agents inner model')

const isModel = (value: unknown): value is InnerModel =>
  typeof value === 'object' &&
  value !== null &&
  typeof Reflect.get(value, 'getResponse') === 'function' &&
  typeof Reflect.get(value, 'getStreamedResponse') === 'function'

/** Holds back only what may become a fence; shows that at the end of the text, and also before a failure. */
async function* scrubStream(events: AsyncIterable<unknown>, fences: readonly string[]): AsyncIterable<unknown> {
  if (fences.length === 0) return yield* events
  const scrubber = createContextScrubber(fences)
  const held = (): readonly unknown[] => {
    const delta = scrubber.flush()
    return delta === '' ? [] : [{ type: 'output_text_delta', delta }]
  }
  try {
    for await (const event of events) {
      const { type, delta } = asRecord(event)
      if (type === 'response_done') yield* held()
      const shown = type === 'output_text_delta' ? scrubber.push(asText(delta)) : delta
      if (shown === delta) yield event
      else if (shown !== '') yield { ...asRecord(event), delta: shown }
    }
  } catch (cause) {
    yield* held()
    throw cause
  }
}

/**
 * A model of `@openai/agents` with a memory: `new Agent({ model: withHermes(model, target), tools: hermesTools(target) })`. `target`: one session; the Hermes of one
 * owner, where each run names its session; or the homes of many, where each run also names its owner, both with `runWithHermes`.
 *
 * Wrap the model of every agent that takes part in a turn. Hermes never makes a call fail; a call that fails by itself is not counted.
 */
export const withHermes = <Model extends AgentModel>(model: Model, target: HermesTarget, options: WithHermesOptions = {}): Model => {
  checkTarget('withHermes', target)
  if (!isModel(model))
    throw new TypeError(
      "withHermes needs a Model object, not the name of a model or a provider. Write withHermes(await new OpenAIProvider().getModel('gpt-5'), target).",
    )
  const inner = (Reflect.get(model as object, INNER) ?? model) as InnerModel & AgentModel
  const warn = warningListener(options.onWarning)
  const reasoningOf = originalTexts<readonly Item[]>(restoreReasoning)

  const guarded = <Answer>(fallback: Answer, work: () => Answer): Answer => {
    try {
      return work()
    } catch (cause) {
      warnUnexpected(warn, cause)
      return fallback
    }
  }

  const checkNames = (names: readonly string[]): void => {
    const twice = names.find((name, at) => OUR_TOOL.test(name) && names.indexOf(name) < at)
    if (twice === undefined) return
    const message = `Two tools are called '${twice}', so the model reaches one of them only. Write hermesTools(target, { prefix: 'hermes_' }).`
    tellFailure(target, { mistake: 'invalid-option', message }, warn)
  }

  const begin = async (request: ModelRequest, run: unknown): Promise<Step | undefined> => {
    const found = sessionOfRun(target, run, warn)
    if (found === undefined) return undefined
    const { session, automated } = found
    const items = toItems(request.input)
    const before = historyBefore(session, request)
    const prompt = [...before, ...toTurnMessages(items)]
    const offered = functionsIn(request.tools)
    checkNames(offered.map(({ name }) => name))
    const call = await beginModelCall(found, { prompt, offered, signal: request.signal, automated })
    const reasoning = reasoningOf(session)
    const earlier = before.filter(({ role, outside }) => role === 'user' && outside !== true).length
    const placed = new Map([...fencesByUserMessage(prompt, call.recalled)].map(([position, text]) => [position - earlier, text]))
    const input = reasoning.restore(placeRecalled(items, placed))
    const systemInstructions = joinBlock(request.systemInstructions ?? '', call.block)
    const sent = { ...request, ...(input === items ? {} : { input }), ...(systemInstructions === '' ? {} : { systemInstructions }) }
    const fences = call.recalled.map(({ text }) => text)
    const handOffs = asList(request.handoffs).map((handOff) => asRecord(handOff)['toolName'])

    const report = (response: ModelResponse): ModelResponse => {
      const output = scrubOutput(response.output, fences, reasoning.note)
      const answered = output.map(asRecord)
      const reply = toTurnMessages(answered)
      if (request.signal?.aborted === true) call.interrupted(reply)
      else {
        const { calls, ...ending } = endingOf(answered, handOffs)
        for (const each of calls) call.noteToolCall(each)
        const model = hostModel(inner, options.reviewSettings, { sent, output: response.output })
        call.end({ ...ending, reply, usage: usageOf(response.usage), model })
        noteHistory(session, request, response.responseId, [...prompt, ...reply])
      }
      return output === response.output ? response : { ...response, output }
    }
    return {
      sent,
      fences,
      end: (response) => guarded(response, () => report(response)),
      interrupted: (text) => guarded(undefined, () => call.interrupted(text === '' ? [] : [{ role: 'assistant', text }])),
    }
  }

  const beginSafely = (request: ModelRequest, run: unknown): Promise<Step | undefined> =>
    begin(request, run).catch((cause: unknown) => {
      warnUnexpected(warn, cause)
      return undefined
    })

  const getResponse = async (request: ModelRequest): Promise<ModelResponse> => {
    const step = await beginSafely(request, currentRun())
    const response = await inner.getResponse(step?.sent ?? request)
    return step?.end(response) ?? response
  }

  async function* stream(request: ModelRequest, run: unknown): AsyncIterable<unknown> {
    const step = await beginSafely(request, run)
    if (step === undefined) return yield* inner.getStreamedResponse(request)
    let said = ''
    let ended = false
    try {
      for await (const event of scrubStream(inner.getStreamedResponse(step.sent), step.fences)) {
        const { type, delta, response } = asRecord(event)
        if (type === 'output_text_delta') said += asText(delta)
        if (type !== 'response_done') {
          yield event
          continue
        }
        ended = true
        const output = asList(asRecord(response)['output'])
        const shown = step.end({ ...asRecord(response), output, responseId: asRecord(response)['id'] }).output
        yield shown === output ? event : { ...asRecord(event), response: { ...asRecord(response), output: shown } }
      }
    } finally {
      if (!ended) step.interrupted(said)
    }
  }

  // Not a generator itself: the run is that of the caller, not of the reader.
  const getStreamedResponse = (request: ModelRequest): AsyncIterable<unknown> => stream(request, currentRun())

  // Everything else, what later releases add included, is the model's own, called on the model itself because of its private fields. Not a proxy of the
  // model, which may be frozen.
  return new Proxy(Object.create(Object.getPrototypeOf(model)), {
    get(_, key) {
      if (key === 'getResponse') return getResponse
      if (key === 'getStreamedResponse') return getStreamedResponse
      if (key === INNER) return inner
      const value: unknown = Reflect.get(model, key, model)
      return typeof value === 'function' && key !== 'constructor' ? value.bind(model) : value
    },
    has: (_, key) => Reflect.has(model, key),
    set: (_, key, value) => Reflect.set(model, key, value, model),
  })
}
