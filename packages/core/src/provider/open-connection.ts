/** The connection of a home to its memory provider, once the provider is used. */
import { HermesError } from '../shared/hermes-error.ts'
import { err, ok, type Result } from '../shared/result.ts'
import { stripWhiteSpace } from '../shared/white-space.ts'
import { HomeHooks } from './home-hooks.ts'
import type { ProviderForgetTarget } from './memory-provider.ts'
import { Outbox } from './outbox.ts'
import type { ProviderConnection, ProviderConnectionOptions } from './provider-connection.ts'
import { outgoingConversation, outgoingQuery, outgoingText, readCount, readSummary, readTexts } from './provider-texts.ts'
import type { NewItem } from './waiting-items.ts'

/** The part of a connection that does not exist until the provider is used. */
type Used = Omit<ProviderConnection, 'name' | 'systemPromptBlock' | 'tools' | 'release'>
type Query = Parameters<ProviderConnection['recall']>[0]

const NOTHING: readonly string[] = []

export class OpenConnection implements Used {
  readonly #options: ProviderConnectionOptions
  readonly #hooks: HomeHooks
  readonly #outbox: Outbox
  readonly #pending = new Set<Promise<unknown>>()
  readonly #erasing = new Set<ProviderForgetTarget>()
  /** For each recall that is under way, what was erased meanwhile: the provider may have found it before. */
  readonly #recalling = new Set<ProviderForgetTarget[]>()
  #closed = false

  /** `former`: ends when an earlier connection of the home is closed. */
  constructor(options: ProviderConnectionOptions, former: Promise<unknown>) {
    this.#options = options
    this.#hooks = new HomeHooks(options, former)
    this.#outbox = new Outbox(options, this.#hooks)
    this.#hooks.guard.onResumed = () => this.#outbox.retry()
    this.#behind(() => this.#outbox.takeOver())
  }

  get idle(): boolean {
    return this.#pending.size === 0 && this.#outbox.idle && this.#hooks.guard.idle
  }

  get canClose(): boolean {
    const isSaved = this.#options.keepText ? !this.#outbox.working : this.#outbox.idle
    return this.#pending.size === 0 && this.#hooks.guard.idle && isSaved
  }

  turnStarted({ sessionId, text }: Parameters<Used['turnStarted']>[0]): void {
    if (this.#closed) return
    const turn = { sessionId, text: outgoingQuery(text), at: this.#options.clock() }
    this.#behind(() => this.#hooks.use('onTurnStart', (onTurnStart, call) => onTurnStart(turn, call)))
  }

  async recall(query: Query): Promise<readonly string[]> {
    if (this.#closed || this.#options.recallChars === 0 || query.text.trim() === '') return NOTHING
    return this.#track(this.#recallInTime(query))
  }

  async turnFinished({ sessionId, user, assistant, automated }: Parameters<Used['turnFinished']>[0]): Promise<void> {
    const { recallChars, clock } = this.#options
    if (this.#closed) return
    await this.#queue({ kind: 'turn', sessionId, user: outgoingText(user), assistant: outgoingText(assistant), automated })
    if (recallChars === 0 || stripWhiteSpace(user) === '' || this.#closed) return
    const query = { sessionId, text: outgoingQuery(user), at: clock(), maxChars: recallChars }
    const prepare = () => this.#hooks.use('queuePrefetch', (queuePrefetch, call) => queuePrefetch(query, call), this.#hooks.patient)
    this.#behind(prepare)
  }

  memoryWritten({ target, sessionId, added, removed, evicted }: Parameters<Used['memoryWritten']>[0]): Promise<void> {
    const gone = (entries: typeof removed) => entries.map((entry) => ({ ...entry, text: outgoingText(entry.text) }))
    return this.#queue({
      kind: 'write',
      target,
      ...(sessionId === undefined ? {} : { sessionId }),
      added: added.map((text) => outgoingText(text)),
      removed: gone(removed),
      evicted: gone(evicted),
    })
  }

  sessionSwitched({ from, to, reason }: Parameters<Used['sessionSwitched']>[0]): Promise<void> {
    return this.#queue({ kind: 'switch', from, to, reason })
  }

  sessionEnded(sessionId: string): Promise<void> {
    return this.#queue({ kind: 'end', sessionId })
  }

  async beforeCompress(sessionId: string, messages: Parameters<Used['beforeCompress']>[1]): Promise<string> {
    if (this.#closed) return ''
    const conversation = { sessionId, messages: await outgoingConversation(messages) }
    const asked = this.#hooks.use('onPreCompress', async (onPreCompress, call) => {
      const text = readSummary(await onPreCompress(conversation, call))
      if (text === undefined) throw this.#unusable('onPreCompress', 'a text')
      return text
    })
    let kept = ''
    const answered = asked.then((outcome) => {
      if (outcome.kind === 'done') kept = outcome.value
    })
    // The hook's own limit does not count while the provider is being opened, or tried again, for something that has more time.
    await this.#hooks.guard.within(this.#options.timeoutMs, this.#track(answered))
    return kept
  }

  callTool(name: string, input: unknown, sessionId: string): Promise<Readonly<Record<string, unknown>>> {
    return this.#track(this.#hooks.runTool({ name, input, sessionId }))
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
    await this.#hooks.guard.settled()
  }

  async deliver(): Promise<void> {
    await this.#outbox.takeOver()
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

  #unusable(hook: string, what: string): HermesError {
    return new HermesError('provider', `'${hook}' of memory provider '${this.#options.provider.name}' must resolve to ${what}.`)
  }

  /** Asks about a user's words for at most one time limit, although the provider may have to be opened first. */
  async #recallInTime(query: Query): Promise<readonly string[]> {
    const erased = [...this.#erasing]
    this.#recalling.add(erased)
    let texts: readonly string[] | undefined
    let isLate = false
    const asking = this.#ask(query, () => isLate).then((found) => {
      texts = found
    })
    try {
      // Started after the hook's own limit, which reports what went wrong.
      await this.#hooks.guard.within(this.#options.timeoutMs, asking)
      isLate = texts === undefined
      if (isLate) this.#behind(() => asking)
      return (texts ?? NOTHING).filter((text) => !erased.some((target) => target.kind !== 'text' || target.matches(text)))
    } finally {
      this.#recalling.delete(erased)
    }
  }

  async #ask({ sessionId, text, known }: Query, isLate: () => boolean): Promise<readonly string[]> {
    const { clock, recallChars, timeoutMs, provider } = this.#options
    const { guard } = this.#hooks
    const at = clock()
    const query = { sessionId, text: outgoingQuery(text), at, maxChars: recallChars }
    const asked = await this.#hooks.use('prefetch', async (prefetch, call) => {
      const read = readTexts(await prefetch(query, call), { maxChars: recallChars, known })
      if (!read) throw this.#unusable('prefetch', 'a text or a list of texts')
      return read
    })
    if (asked.kind !== 'done') return NOTHING
    if (isLate()) {
      const message = `Opening memory provider '${provider.name}' and asking it took more than ${timeoutMs} ms together, so the turn went on without it.`
      guard.fail('prefetch', new HermesError('timeout', message))
      return NOTHING
    }
    const { texts, dropped } = asked.value
    if (texts.length === 0 && dropped > 0) {
      const message = `None of the ${dropped} texts that memory provider '${provider.name}' recalled fits into the ${recallChars} characters of 'memory.recallChars'.`
      guard.fail('prefetch', new HermesError('over_limit', message))
    }
    const chars = texts.reduce((sum, each) => sum + each.length, 0)
    guard.emit({ type: 'recalled', sessionId, texts: texts.length, chars, ms: Math.max(0, clock() - at) })
    return texts
  }

  /** `waiting`: the number of items that waited for delivery. */
  async #forgetInProvider(target: ProviderForgetTarget, waiting: number): Promise<Result<number>> {
    const { name } = this.#options.provider
    const cannot = (why: string, cause?: HermesError) =>
      err(new HermesError('provider', `Memory provider '${name}' ${why}`, cause ? { cause } : {}))
    const asked = await this.#hooks.use(
      'forget',
      async (forget, call) => {
        const count = readCount(await forget(target, call))
        if (count === undefined) throw this.#unusable('forget', 'a number')
        return count
      },
      this.#hooks.forgetting,
    )
    if (asked.kind === 'done') return ok(waiting + asked.value)
    if (asked.kind === 'missing') return cannot('cannot erase: what it has stored must be erased there.')
    if (asked.kind === 'failed') return cannot(`could not erase: ${asked.error.message} Try again.`, asked.error)
    return cannot('could not erase: it is paused. Try again.')
  }
}
