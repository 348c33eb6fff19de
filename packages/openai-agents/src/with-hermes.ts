/** Hermes around a model of the SDK: the block and recalled text on the way in, turns and tool calls on the way out. */
import type { TurnMessage } from '@hermes/core'
import {
  asList,
  asRecord,
  asText,
  beginModelCall,
  beginUnownedCall,
  checkTarget,
  createContextScrubber,
  fencesByUserMessage,
  type HermesTarget,
  type HermesWarningListener,
  joinBlock,
  type ModelCall,
  originalTexts,
  sharedTarget,
  tellFailure,
  warningListener,
  warnUnexpected,
} from '@hermes/core/adapter'
import type { AgentModel, InnerModel, ModelRequest, ModelResponse } from './agents-protocol.ts'
import { hostModel, usageOf } from './host-model.ts'
import { endingOf, type Item, placeRecalled, restoreReasoning, scrubOutput, toItems, toTurnMessages } from './items.ts'
import { currentRun, sessionOfRun } from './run-with-hermes.ts'
import { StoredHistory } from './stored-history.ts'

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
  const inner: InnerModel = model
  const warn = warningListener(options.onWarning)
  const history = new StoredHistory()
  const reasoningOf = originalTexts<readonly Item[]>(restoreReasoning)

  const guarded = <Answer>(fallback: Answer, work: () => Answer): Answer => {
    try {
      return work()
    } catch (cause) {
      warnUnexpected(warn, cause)
      return fallback
    }
  }

  const checkNames = (offered: readonly { readonly name: string }[]): void => {
    const twice = offered.find(({ name }, at) => OUR_TOOL.test(name) && offered.findIndex((tool) => tool.name === name) < at)
    if (twice === undefined) return
    const message = `Two tools are called '${twice.name}', so the model reaches one of them only. Write hermesTools(target, { prefix: 'hermes_' }).`
    tellFailure(target, { mistake: 'invalid-option', message }, warn)
  }

  const begin = async (request: ModelRequest, run: unknown): Promise<Step | undefined> => {
    const found = sessionOfRun(target, run, warn)
    const items = toItems(request.input)
    const { signal } = request
    if (found === undefined) {
      const shared = sharedTarget(target)
      return shared && stepOf(beginUnownedCall(shared, { prompt: toTurnMessages(items), signal }), request)
    }
    const { session } = found
    const before = history.before(session, request)
    const prompt = [...before, ...toTurnMessages(items)]
    const offered = asList(request.tools)
      .map(asRecord)
      .filter(({ type }) => type === 'function')
      .map((tool) => ({ name: asText(tool['name']), description: asText(tool['description']) }))
    checkNames(offered)
    const call = await beginModelCall(found, { prompt, offered, signal, automated: asRecord(run)['automated'] === true || undefined })
    const reasoning = reasoningOf(session)
    const earlier = before.filter(({ role, outside }) => role === 'user' && outside !== true).length
    const fences = new Map([...fencesByUserMessage(prompt, call.recalled)].map(([position, text]) => [position - earlier, text]))
    const input = reasoning.restore(placeRecalled(items, fences))
    const systemInstructions = joinBlock(request.systemInstructions ?? '', call.block)
    const sent = {
      ...request,
      ...(fences.size === 0 && input === items ? {} : { input }),
      ...(systemInstructions === '' ? {} : { systemInstructions }),
    }
    return stepOf(call, sent, (reply, responseId) => history.note(session, request, responseId, [...prompt, ...reply]), reasoning.note)
  }

  const stepOf = (
    call: ModelCall,
    sent: ModelRequest,
    note: (reply: readonly TurnMessage[], responseId: unknown) => void = () => undefined,
    noteReasoning: (shown: string, original: string) => void = () => undefined,
  ): Step => {
    const fences = call.recalled.map(({ text }) => text)
    return {
      sent,
      fences,
      interrupted: (text) => guarded(undefined, () => call.interrupted(text === '' ? [] : [{ role: 'assistant', text }])),
      end: (response) =>
        guarded(response, () => {
          const output = scrubOutput(response.output, fences, noteReasoning)
          const items = output.map(asRecord)
          const reply = toTurnMessages(items)
          if (sent.signal?.aborted === true) call.interrupted(reply)
          else {
            const { calls, ...ending } = endingOf(items)
            for (const each of calls) call.noteToolCall(each)
            const usage = usageOf(response.usage)
            call.end({ ...ending, reply, usage, model: hostModel(model, options.reviewSettings, { sent, output: response.output }) })
            note(reply, response.responseId)
          }
          return output === response.output ? response : { ...response, output }
        }),
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
      const value: unknown = Reflect.get(model, key, model)
      return typeof value === 'function' && key !== 'constructor' ? value.bind(model) : value
    },
    has: (_, key) => Reflect.has(model, key),
    set: (_, key, value) => Reflect.set(model, key, value, model),
  })
}
