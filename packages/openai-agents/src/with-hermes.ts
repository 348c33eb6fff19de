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
  insideCall,
  joinBlock,
  originalTexts,
  placeFences,
  tellFailure,
  warningListener,
} from '@hermes/core/adapter'
import type { AgentModel, InnerModel, ModelRequest, ModelResponse } from './agents-protocol.ts'
import { hostModel, usageOf } from './host-model.ts'
import { endingOf, type Item, restoreReasoning, scrubOutput, toItems, toTurnMessages } from './items.ts'
import { currentRun, sessionOfRun } from './run-with-hermes.ts'
import { historyBefore, noteHistory } from './stored-history.ts'

export interface WithHermesOptions {
  /** Model settings of the SDK for reviews, such as `{ store: false }`. Default: none. */
  readonly reviewSettings?: Readonly<Record<string, unknown>>
  /** Called on misconfiguration. Default: `console.warn`, once for each different warning. */
  readonly onWarning?: HermesWarningListener
}

const OUR_TOOL = /(?:^|_)(?:memory|skills_list|skill_view|skill_manage)$/

/** Under which an already wrapped model has the one inside, so that no call is counted twice. */
const INNER = Symbol.for('@hermes/openai-agents inner model')

/** Holds back only what may become a fence; shows that at the end of the text, and also before a failure. */
async function* scrubStream(events: AsyncIterable<unknown>, fences: readonly string[]): AsyncIterable<unknown> {
  const scrubber = createContextScrubber(fences)
  const showing = (delta: string, event: unknown) => (delta === '' ? [] : [{ ...asRecord(event), type: 'output_text_delta', delta }])
  try {
    for await (const event of events) {
      const { type, delta } = asRecord(event)
      if (type === 'response_done') yield* showing(scrubber.flush(), {})
      if (type === 'output_text_delta') yield* showing(scrubber.push(asText(delta)), event)
      else yield event
    }
  } catch (cause) {
    yield* showing(scrubber.flush(), {})
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
  if (!['getResponse', 'getStreamedResponse'].every((method) => typeof asRecord(model)[method] === 'function'))
    throw new TypeError(
      "withHermes needs a Model object, not the name of a model or a provider. Write withHermes(await new OpenAIProvider().getModel('gpt-5'), target).",
    )
  const inner = (Reflect.get(model, INNER) ?? model) as InnerModel & AgentModel
  const warn = warningListener(options.onWarning)
  const guarded = insideCall(warn)
  const reasoningOf = originalTexts<readonly Item[]>(restoreReasoning)

  const checkNames = (names: readonly string[]): void => {
    const twice = names.find((name, at) => OUR_TOOL.test(name) && names.indexOf(name) < at)
    if (twice === undefined) return
    const message = `Two tools are called '${twice}', so the model reaches one of them only. Write hermesTools(target, { prefix: 'hermes_' }).`
    tellFailure(target, { mistake: 'invalid-option', message }, warn)
  }

  const begin = async (request: ModelRequest, run: unknown) => {
    const found = sessionOfRun(target, run, warn)
    if (found === undefined) return undefined
    const { session, automated } = found
    const items = toItems(request.input)
    const before = historyBefore(session, request)
    const asked = toTurnMessages(items)
    const prompt = [...before, ...asked]
    const offered = functionsIn(request['tools'])
    checkNames(offered.map(({ name }) => name))
    const call = await beginModelCall(found, { prompt, offered, signal: request.signal, automated })
    const reasoning = reasoningOf(session)
    const recalled = call.recalled.map(({ index, text }) => ({ index: index - before.length, text }))
    const input = reasoning.restore(placeFences(items, fencesByUserMessage(asked, recalled), { textType: 'input_text' }))
    const systemInstructions = joinBlock(request.systemInstructions ?? '', call.block)
    const sent = { ...request, ...(input === items ? {} : { input }), ...(systemInstructions === '' ? {} : { systemInstructions }) }
    const fences = recalled.map(({ text }) => text)
    const handOffs = asList(request['handoffs']).map((handOff) => asRecord(handOff)['toolName'])

    const report = (response: ModelResponse): ModelResponse => {
      const output = scrubOutput(response.output, fences, reasoning.note)
      const answered = output.map(asRecord)
      const reply = toTurnMessages(answered)
      if (request.signal?.aborted === true) call.interrupted(reply)
      else {
        const { calls, ...ending } = endingOf(answered, handOffs)
        for (const each of calls) call.noteToolCall(each)
        const reviewer = hostModel(inner, options.reviewSettings, { sent, output: response.output })
        call.end({ ...ending, reply, usage: usageOf(response['usage']), model: reviewer })
        noteHistory(session, request, response['responseId'] ?? response['id'], [...prompt, ...reply])
      }
      return { ...response, output }
    }
    return {
      request: sent,
      /** The events as the host may see them. */
      shown: (events: AsyncIterable<unknown>) => (fences.length === 0 ? events : scrubStream(events, fences)),
      /** Reports a complete answer, and returns it as the host may see it. */
      end: (response: ModelResponse) => guarded(() => report(response)) ?? response,
      /** The answer is not whole: nothing is counted, but the host may show it in later prompts. */
      interrupted: (text: string) => guarded(() => call.interrupted([{ role: 'assistant', text }])),
    }
  }

  const getResponse = async (request: ModelRequest): Promise<ModelResponse> => {
    const step = await guarded(() => begin(request, currentRun()))
    const response = await inner.getResponse(step?.request ?? request)
    return step?.end(response) ?? response
  }

  async function* stream(request: ModelRequest, run: unknown): AsyncIterable<unknown> {
    const step = await guarded(() => begin(request, run))
    if (step === undefined) return yield* inner.getStreamedResponse(request)
    let said = ''
    let isOver = false
    try {
      for await (const event of step.shown(inner.getStreamedResponse(step.request))) {
        const { type, delta, response } = asRecord(event)
        if (type === 'output_text_delta') said += asText(delta)
        isOver ||= type === 'response_done'
        yield type === 'response_done' ? { ...asRecord(event), response: step.end(response as ModelResponse) } : event
      }
    } finally {
      if (!isOver) step.interrupted(said)
    }
  }

  // Not a generator itself: the run is that of the caller, not of the reader.
  const getStreamedResponse = (request: ModelRequest): AsyncIterable<unknown> => stream(request, currentRun())
  const own: Readonly<Record<string | symbol, unknown>> = { getResponse, getStreamedResponse, [INNER]: inner }

  // Everything else, what later releases add included, is the model's own, called on the model itself because of its private fields. Not a proxy of the
  // model, which may be frozen.
  return new Proxy(Object.create(Object.getPrototypeOf(model)), {
    get(_, key) {
      if (Object.hasOwn(own, key)) return own[key]
      const value: unknown = Reflect.get(model, key, model)
      return typeof value === 'function' && key !== 'constructor' ? value.bind(model) : value
    },
    has: (_, key) => Reflect.has(model, key),
    set: (_, key, value) => Reflect.set(model, key, value, model),
  })
}
