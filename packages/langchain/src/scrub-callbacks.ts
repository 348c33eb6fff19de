/**
 * Scrubs what a model tells the handlers of a call, which is how LangGraph's streams and `streamEvents` receive tokens: they pass the model,
 * not the adapter around it.
 */
import { asList, asRecord, asText, createContextScrubber } from '@hermes/core/adapter'
import { withFields } from './message-texts.ts'
import { type ChunkScrubber, chunkScrubber, type Scrubbing, scrubAnswer } from './scrub-message.ts'

type Method = (...given: readonly unknown[]) => unknown

/** What a handler has seen of one run. */
interface SeenRun {
  readonly token: ReturnType<typeof createContextScrubber>
  readonly chunks: ChunkScrubber
  /** The arguments of the latest token behind the text itself. */
  readonly rest: readonly unknown[]
  readonly generation: object | undefined
}

/** A generation with another message, as a model reports it to its handlers. */
const withMessage = (generation: object, message: unknown, text: string): object => withFields(generation, { message, text })

/** `{ generations: [[{ text, message }]] }`. */
const scrubResult = (result: unknown, scrubbing: Scrubbing): unknown => {
  const generations = asList(asRecord(result)['generations']).map((list) =>
    asList(list).map((generation) => {
      const { message, text } = asRecord(generation)
      if (typeof generation !== 'object' || generation === null) return generation
      return withMessage(generation, scrubAnswer(message, scrubbing), scrubAnswer(asText(text), scrubbing))
    }),
  )
  return { ...asRecord(result), generations }
}

const TEXT_OF_DELTA: Readonly<Record<string, string>> = { 'text-delta': 'text', 'reasoning-delta': 'reasoning' }

/** Events of content blocks, which newer versions of LangGraph stream: the same event, or what was held back and the event. */
const eventScrubber = (scrubbing: Scrubbing) => {
  const open = new Map<
    unknown,
    { readonly scrubber: ReturnType<typeof createContextScrubber>; readonly type: string; readonly field: string }
  >()
  return (event: unknown): readonly unknown[] => {
    const { event: name, index, delta, content } = asRecord(event)
    const type = asText(asRecord(delta)['type'])
    const field = TEXT_OF_DELTA[type]
    if (name === 'content-block-delta' && field !== undefined) {
      const text = open.get(index) ?? { scrubber: createContextScrubber(scrubbing.fences), type, field }
      open.set(index, text)
      return [{ ...asRecord(event), delta: { ...asRecord(delta), [field]: text.scrubber.push(asText(asRecord(delta)[field])) } }]
    }
    if (name !== 'content-block-finish') return [event]
    const text = open.get(index)
    open.delete(index)
    const held = text?.scrubber.flush() ?? ''
    const ofPart = scrubAnswer({ content: [content], getType: () => 'ai' }, scrubbing)
    const finish = { ...asRecord(event), content: ofPart.content[0] }
    if (text === undefined || held === '') return [finish]
    return [{ event: 'content-block-delta', index, delta: { type: text.type, [text.field]: held } }, finish]
  }
}

/** The methods that a handler is called with in place of its own. */
const scrubbedMethods = (handler: object, scrubbing: Scrubbing): Readonly<Record<string, Method>> => {
  const runs = new Map<unknown, SeenRun>()
  const events = new Map<unknown, ReturnType<typeof eventScrubber>>()
  const call = (name: string, given: readonly unknown[]): unknown => {
    const method: unknown = Reflect.get(handler, name)
    return typeof method === 'function' ? Reflect.apply(method, handler, given) : undefined
  }

  const tell = (token: string, rest: readonly unknown[], message: unknown, generation: object | undefined): unknown => {
    const fields = asRecord(rest[4])
    const chunk = generation === undefined ? fields['chunk'] : withMessage(generation, message, token)
    return call('handleLLMNewToken', [token, ...rest.slice(0, 4), { ...fields, chunk }, ...rest.slice(5)])
  }

  const takeHeld = async (runId: unknown): Promise<void> => {
    const run = runs.get(runId)
    runs.delete(runId)
    events.delete(runId)
    if (run === undefined) return
    const held = run.token.flush()
    const messages = run.chunks.end()
    if (run.generation === undefined && held !== '') await tell(held, run.rest, undefined, undefined)
    if (run.generation !== undefined) {
      for (const [at, message] of messages.entries()) await tell(at === 0 ? held : '', run.rest, message, run.generation)
    }
  }

  return {
    handleLLMNewToken(token, ...rest) {
      const runId = rest[1]
      const { chunk } = asRecord(rest[4])
      const generation = typeof chunk === 'object' && chunk !== null ? chunk : undefined
      const known = runs.get(runId) ?? { token: createContextScrubber(scrubbing.fences), chunks: chunkScrubber(scrubbing) }
      runs.set(runId, { ...known, rest, generation })
      const message = generation === undefined ? undefined : known.chunks.chunk(asRecord(generation)['message'])
      return tell(known.token.push(asText(token)), rest, message, generation)
    },
    async handleChatModelStreamEvent(event, ...rest) {
      const scrub = events.get(rest[0]) ?? eventScrubber(scrubbing)
      events.set(rest[0], scrub)
      for (const shown of scrub(event)) await call('handleChatModelStreamEvent', [shown, ...rest])
    },
    async handleLLMEnd(result, runId, ...rest) {
      await takeHeld(runId)
      return call('handleLLMEnd', [scrubResult(result, scrubbing), runId, ...rest])
    },
    async handleLLMError(error, runId, ...rest) {
      await takeHeld(runId)
      return call('handleLLMError', [error, runId, ...rest])
    },
  }
}

/** Looks like the handler and calls it, with scrubbed text. */
const scrubbedHandler = (handler: object, scrubbing: Scrubbing): object => {
  const methods = scrubbedMethods(handler, scrubbing)
  return new Proxy(handler, {
    get(target, key) {
      const own: unknown = Reflect.get(target, key, target)
      if (typeof own !== 'function' || key === 'constructor') return own
      return (typeof key === 'string' ? methods[key] : undefined) ?? own.bind(target)
    },
  })
}

interface ManagerLike {
  handlers: object[]
  inheritableHandlers: object[]
  copy(): ManagerLike
}

const isManager = (value: unknown): value is ManagerLike =>
  typeof value === 'object' && value !== null && 'copy' in value && typeof value.copy === 'function' && 'inheritableHandlers' in value

/** `callbacks`: a manager or a list of handlers, as in a configuration. Returns a copy of the same kind; anything else as it is. */
export const scrubCallbacks = (callbacks: unknown, scrubbing: Scrubbing): unknown => {
  const known = new Map<object, object>()
  const scrubbed = (handler: object): object => {
    const made = known.get(handler) ?? scrubbedHandler(handler, scrubbing)
    known.set(handler, made)
    return made
  }
  if (Array.isArray(callbacks))
    return callbacks.map((handler) => (typeof handler === 'object' && handler !== null ? scrubbed(handler) : handler))
  if (!isManager(callbacks)) return callbacks
  const manager = callbacks.copy()
  manager.handlers = manager.handlers.map(scrubbed)
  manager.inheritableHandlers = manager.inheritableHandlers.map(scrubbed)
  return manager
}
