/** The connection of a home to its memory provider, once the provider is used. Its methods are those of `ProviderConnection`. */
import type { EntryChanges } from '../memory/describe-change.ts'
import type { MemoryTarget } from '../memory/memory-op.ts'
import { HermesError } from '../shared/hermes-error.ts'
import { isData, parseJson } from '../shared/json-texts.ts'
import { err, ok, type Result } from '../shared/result.ts'
import { stripWhiteSpace } from '../shared/white-space.ts'
import type {
  CompressedConversation,
  ProviderForgetTarget,
  ProviderPlace,
  ProviderToolCall,
  ProviderTurn,
  SessionSwitch,
} from './memory-provider.ts'
import { Outbox } from './outbox.ts'
import { ProviderHooks } from './provider-hooks.ts'
import type { ProviderConnectionOptions } from './provider-options.ts'
import * as texts from './provider-texts.ts'
import type { NewItem } from './waiting-list.ts'

interface Query extends ProviderPlace {
  readonly text: string
  /** Texts that the session was shown before. */
  readonly known: ReadonlySet<string>
}

/** Names no project if there is none. */
const placeOf = ({ sessionId, project }: ProviderPlace): ProviderPlace => ({ sessionId, ...(project === undefined ? {} : { project }) })

type ToolAnswer = Readonly<Record<string, unknown>>

const toolFailure = (error: string): ToolAnswer => ({ success: false, error: texts.cleanText(error) })

export class ConnectionWork {
  readonly #options: ProviderConnectionOptions
  readonly #hooks: ProviderHooks
  readonly #outbox: Outbox
  readonly #pending = new Set<Promise<unknown>>()
  readonly #erasing = new Set<ProviderForgetTarget>()
  /** For each recall that is under way, what was erased meanwhile: the provider may have found it before. */
  readonly #recalling = new Set<ProviderForgetTarget[]>()
  #closed = false

  /** `former`: ends when an earlier connection of the home is closed. */
  constructor(options: ProviderConnectionOptions, former: Promise<unknown>) {
    this.#options = options
    this.#hooks = new ProviderHooks(options, former)
    this.#outbox = new Outbox(options, this.#hooks)
    this.#hooks.guard.onResumed = () => this.#outbox.retry()
    this.#outbox.start()
  }

  get canClose(): boolean {
    return this.#pending.size === 0 && this.#outbox.isSaved
  }

  turnStarted({ text, ...place }: ProviderPlace & { readonly text: string }): void {
    if (this.#closed) return
    const turn = { ...placeOf(place), text: texts.outgoingQuery(text), at: this.#options.clock() }
    this.#behind(() => this.#hooks.use('onTurnStart', (onTurnStart, call) => onTurnStart(turn, call)))
  }

  async recall(query: Query): Promise<readonly string[]> {
    if (this.#closed || this.#options.recallChars === 0 || query.text.trim() === '') return []
    return this.#track(this.#recallInTime(query))
  }

  async turnFinished({ user, assistant, automated, ...of }: Omit<ProviderTurn, 'id' | 'at'>): Promise<void> {
    const { recallChars, clock } = this.#options
    const place = placeOf(of)
    await this.#queue({ kind: 'turn', ...place, user: texts.outgoingText(user), assistant: texts.outgoingText(assistant), automated })
    if (recallChars === 0 || stripWhiteSpace(user) === '' || this.#closed) return
    const query = { ...place, text: texts.outgoingQuery(user), at: clock(), maxChars: recallChars }
    this.#behind(() => this.#hooks.use('queuePrefetch', (queuePrefetch, call) => queuePrefetch(query, call), this.#hooks.patient))
  }

  memoryWritten(write: EntryChanges & { readonly target: MemoryTarget } & Partial<ProviderPlace>): Promise<void> {
    const { target, project, sessionId, added, removed, evicted } = write
    const gone = (entries: typeof removed) => entries.map((entry) => ({ ...entry, text: texts.outgoingText(entry.text) }))
    return this.#queue({
      kind: 'write',
      target,
      ...(project === undefined ? {} : { project }),
      ...(sessionId === undefined ? {} : { sessionId }),
      added: added.map((text) => texts.outgoingText(text)),
      removed: gone(removed),
      evicted: gone(evicted),
    })
  }

  sessionSwitched(change: Omit<SessionSwitch, 'id' | 'at'>): Promise<void> {
    return this.#queue({ kind: 'switch', ...change })
  }

  sessionEnded(place: ProviderPlace): Promise<void> {
    return this.#queue({ kind: 'end', ...placeOf(place) })
  }

  async beforeCompress(place: ProviderPlace, messages: CompressedConversation['messages']): Promise<string> {
    if (this.#closed) return ''
    const conversation = { ...placeOf(place), messages: await texts.outgoingConversation(messages) }
    let kept = ''
    const asked = this.#hooks
      .use('onPreCompress', async (onPreCompress, call) => {
        const text = texts.readSummary(await onPreCompress(conversation, call))
        return text ?? this.#refuse('onPreCompress', 'a text')
      })
      .then((outcome) => {
        if (outcome.kind === 'done') kept = outcome.value
      })
    // The hook's own limit does not count while the provider is being opened, or tried again, for something that has more time.
    await this.#hooks.guard.within(this.#options.timeoutMs, this.#track(asked))
    return kept
  }

  /** Runs a tool for the agent. The answer is always an object that the model can read, also for a failure. */
  callTool({ name, input: given, ...place }: Omit<ProviderToolCall, 'input'> & { readonly input: unknown }): Promise<ToolAnswer> {
    return this.#track(this.#runTool(name, typeof given === 'string' ? parseJson(given) : given, placeOf(place)))
  }

  async forget(target: ProviderForgetTarget): Promise<Result<number>> {
    if (!target.dryRun) {
      this.#erasing.add(target)
      for (const erased of this.#recalling) erased.push(target)
    }
    const erasing = this.#outbox.forget(target, (waiting) => this.#forgetInProvider(target, waiting))
    return this.#track(erasing).finally(() => this.#erasing.delete(target))
  }

  async settled(): Promise<void> {
    while (this.#pending.size > 0) await Promise.allSettled(this.#pending)
    await this.#outbox.settled()
  }

  async deliver(): Promise<void> {
    this.#outbox.start()
    await this.settled()
  }

  async close(limitMs: number): Promise<void> {
    if (this.#closed) return
    this.#closed = true
    await this.#outbox.close(limitMs)
    await this.#hooks.close()
  }

  #track<T>(work: Promise<T>): Promise<T> {
    const tracked = work.finally(() => this.#pending.delete(tracked))
    this.#pending.add(tracked)
    return tracked
  }

  /** Work that nothing waits for. */
  #behind(work: () => Promise<unknown>): void {
    const begun = this.#track(work())
    this.#options.run(() => begun.then(() => {}))
  }

  async #queue(item: NewItem): Promise<void> {
    if (!this.#closed) await this.#track(this.#outbox.add(item))
  }

  #refuse(hook: string, what: string): never {
    throw new HermesError('provider', `'${hook}' of memory provider '${this.#options.provider.name}' must resolve to ${what}.`)
  }

  async #runTool(name: string, input: unknown, place: ProviderPlace): Promise<ToolAnswer> {
    const { provider } = this.#options
    if (!provider.tools?.some((tool) => tool.name === name)) return toolFailure(`There is no tool '${name}'.`)
    if (!isData(input)) return toolFailure(`The input of '${name}' must be a JSON object.`)
    const answered = await this.#hooks.use(
      'callTool',
      async (callTool, call) => {
        const read = texts.readToolAnswer(await callTool({ name, input, ...place }, call))
        if (read !== 'not-json') return read
        throw new HermesError('provider', `Tool '${name}' of memory provider '${provider.name}' must answer with a JSON object.`)
      },
      { ...this.#hooks.patient, operation: `tool:${name}`, countsErrors: false },
    )
    if (answered.kind === 'missing') return toolFailure(`The memory provider does not run '${name}'.`)
    if (answered.kind === 'skipped') return toolFailure('The memory provider does not work at the moment. Go on without it.')
    if (answered.kind === 'failed') return toolFailure(answered.error.message)
    if (answered.value !== 'too-long') return answered.value
    return toolFailure(`The answer of '${name}' is longer than ${texts.MAX_TOOL_CHARS} characters. Ask for less.`)
  }

  /** Asks about a user's words for at most one time limit, although the provider may have to be opened first. */
  async #recallInTime(query: Query): Promise<readonly string[]> {
    const erased = [...this.#erasing]
    this.#recalling.add(erased)
    let found: readonly string[] | undefined
    let isLate = false
    const asking = this.#ask(query, () => isLate).then((answer) => {
      found = answer
    })
    // Started after the hook's own limit, which reports what went wrong.
    await this.#hooks.guard.within(this.#options.timeoutMs, asking)
    isLate = found === undefined
    if (isLate) this.#behind(() => asking)
    this.#recalling.delete(erased)
    return (found ?? []).filter((text) => !erased.some((target) => target.kind !== 'text' || target.matches(text)))
  }

  async #ask({ text, known, ...place }: Query, isLate: () => boolean): Promise<readonly string[]> {
    const { clock, recallChars, timeoutMs, provider } = this.#options
    const { guard } = this.#hooks
    const at = clock()
    const query = { ...placeOf(place), text: texts.outgoingQuery(text), at, maxChars: recallChars }
    const asked = await this.#hooks.use('prefetch', async (prefetch, call) => {
      const read = texts.readTexts(await prefetch(query, call), { maxChars: recallChars, known })
      return read ?? this.#refuse('prefetch', 'a text or a list of texts')
    })
    if (asked.kind !== 'done') return []
    if (isLate()) {
      const message = `Opening memory provider '${provider.name}' and asking it took more than ${timeoutMs} ms together, so the turn went on without it.`
      guard.fail('prefetch', new HermesError('timeout', message))
      return []
    }
    const { texts: recalled, dropped } = asked.value
    if (recalled.length === 0 && dropped > 0) {
      const message = `None of the ${dropped} texts that memory provider '${provider.name}' recalled fits into the ${recallChars} characters of 'memory.recallChars'.`
      guard.fail('prefetch', new HermesError('over_limit', message))
    }
    const chars = recalled.reduce((sum, each) => sum + each.length, 0)
    guard.emit({ type: 'recalled', sessionId: place.sessionId, texts: recalled.length, chars, ms: Math.max(0, clock() - at) })
    return recalled
  }

  /** `waiting`: the number of items that waited for delivery. */
  async #forgetInProvider(target: ProviderForgetTarget, waiting: number): Promise<Result<number>> {
    const cannot = (why: string, cause?: HermesError) =>
      err(new HermesError('provider', `Memory provider '${this.#options.provider.name}' ${why}`, cause ? { cause } : {}))
    const asked = await this.#hooks.use(
      'forget',
      async (forget, call) => texts.readCount(await forget(target, call)) ?? this.#refuse('forget', 'a number'),
      this.#hooks.forgetting,
    )
    if (asked.kind === 'done') return ok(waiting + asked.value)
    if (asked.kind === 'missing') return cannot('cannot erase: what it has stored must be erased there.')
    if (asked.kind === 'failed') return cannot(`could not erase: ${asked.error.message} Try again.`, asked.error)
    return cannot('could not erase: it is paused. Try again.')
  }
}
