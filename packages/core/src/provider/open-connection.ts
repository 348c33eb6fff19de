/** Wires the parts of a provider connection. Loaded at the first use of the provider. */
import { HermesError } from '../shared/hermes-error.ts'
import { err, ok, type Result } from '../shared/result.ts'
import { stripWhiteSpace } from '../shared/white-space.ts'
import type { ProviderConnectionOptions } from './connection-options.ts'
import { deliverItem, isTaken } from './deliver-item.ts'
import { createDelivery } from './delivery.ts'
import { hookGuard } from './hook-guard.ts'
import type { ProviderForgetTarget } from './memory-provider.ts'
import { openHome } from './open-home.ts'
import { createOutbox } from './outbox.ts'
import { outboxFile } from './outbox-file.ts'
import { outgoingConversation, outgoingQuery, outgoingText } from './outgoing-text.ts'
import { takeAbandoned } from './plan-outbox.ts'
import { readCount, readSummary } from './provider-answers.ts'
import type { ProviderConnection } from './provider-connection.ts'
import type { WaitingItem } from './provider-items.ts'
import { BEHIND_LIMITS, FORGET_LIMITS, systemTimers } from './provider-timers.ts'
import { createRecall } from './recall-texts.ts'
import { runProviderTool } from './run-provider-tool.ts'
import { useHookOf } from './use-hook.ts'

/** The part of a connection that does not exist until the provider is used. */
export type OpenConnection = Omit<ProviderConnection, 'name' | 'systemPromptBlock' | 'tools'>

export const openConnection = (options: ProviderConnectionOptions): OpenConnection => {
  const { provider, home, clock, createId, timeoutMs, recallChars, keepText, run, timers = systemTimers } = options
  const { name } = provider
  const guard = hookGuard({
    name,
    clock,
    timers,
    timeoutMs,
    emit(event) {
      options.emit(event)
      if (event.type === 'provider-resumed') delivery.retry()
    },
  })
  const opener = openHome({ provider, home, clock, guard })
  const use = useHookOf({ opener, guard })
  const self = createId()
  const failedOutbox = (error: HermesError) => guard.fail('outbox', error)
  const patient = { limitMs: BEHIND_LIMITS * timeoutMs }
  const dropped = (items: number) => guard.emit({ type: 'provider-dropped', items })
  const file = outboxFile({ name, storage: home.storage, onFailure: failedOutbox })
  const outbox = createOutbox({
    file: keepText ? file : undefined,
    clock,
    self,
    onFailure: failedOutbox,
    onDropped: dropped,
  })
  const delivery = createDelivery({
    outbox,
    deliver: (item) => deliverItem(use, item, patient),
    onRefused: () => dropped(1),
    clock,
    timers,
    run,
  })
  const recall = createRecall({ name, use, guard, clock, timers, timeoutMs, recallChars })

  let closed = false
  const pending = new Set<Promise<unknown>>()
  const track = <T>(work: Promise<T>): Promise<T> => {
    const tracked = work.finally(() => pending.delete(tracked))
    pending.add(tracked)
    return tracked
  }
  /** Work that nothing waits for. */
  const behind = (work: () => Promise<unknown>): void => {
    const begun = track(work())
    run(() => begun.then(() => {}))
  }

  /** Stores an item, then delivers it behind. */
  const queue = async (item: WaitingItem): Promise<void> => {
    if (closed || !isTaken(opener.hooks, item.kind)) return
    await track(outbox.add(item))
    delivery.start()
  }
  const delivered = () => ({ id: createId(), by: self, at: clock() })

  /** For each recall that is under way, what was erased meanwhile: the provider may have found it before. */
  const recalling = new Set<ProviderForgetTarget[]>()

  const recallKept: OpenConnection['recall'] = async (query) => {
    const erased: ProviderForgetTarget[] = []
    recalling.add(erased)
    try {
      const texts = await recall(query, (work) => behind(() => work))
      return texts.filter((text) => !erased.some((target) => target.kind !== 'text' || target.matches(text)))
    } finally {
      recalling.delete(erased)
    }
  }

  const erase = async (target: ProviderForgetTarget): Promise<Result<number>> => {
    if (!target.dryRun) for (const erased of recalling) erased.push(target)
    const waiting = await outbox.forget(target)
    if (!waiting.ok) return waiting
    const cannot = (why: string, cause?: HermesError) =>
      err(new HermesError('provider', `Memory provider '${name}' ${why}`, cause ? { cause } : {}))
    const asked = await use(
      'forget',
      async (forget, call) => {
        const count = readCount(await forget(target, call))
        if (count === undefined) throw new HermesError('provider', `'forget' of memory provider '${name}' must resolve to a number.`)
        return count
      },
      { always: true, limitMs: FORGET_LIMITS * timeoutMs },
    )
    if (asked.kind === 'done') return ok(waiting.value + asked.value)
    if (asked.kind === 'missing') return cannot('cannot erase: what it has stored must be erased there.')
    return cannot(
      `could not erase: ${asked.kind === 'failed' ? asked.error.message : 'it is paused.'} Try again.`,
      asked.kind === 'failed' ? asked.error : undefined,
    )
  }

  /** What was stored before the home stopped storing text. */
  const takeStored = async (): Promise<void> => {
    let taken: readonly WaitingItem[] = []
    const emptied = await file.update((current) => {
      const divided = takeAbandoned(current, clock())
      taken = divided.taken
      return divided.document
    })
    if (emptied.ok) for (const item of taken) await outbox.add({ ...item, by: self })
    else if (emptied.error.code !== 'closed') failedOutbox(emptied.error)
  }

  // Delivers what processes have left that are gone.
  behind(() => (keepText ? outbox.refresh() : takeStored()).then(() => delivery.start()))

  const settled = async () => {
    while (pending.size > 0) await Promise.allSettled(pending)
    await delivery.settled()
    await guard.settled()
  }

  /** Resolves when the work is done or the time is up. */
  const within = async (limitMs: number, work: Promise<unknown>): Promise<void> => {
    let cancel = () => {}
    const timeUp = new Promise<void>((resolve) => {
      cancel = timers.after(limitMs, true, resolve)
    })
    await Promise.race([work, timeUp])
    cancel()
  }

  return {
    turnStarted({ sessionId, text }) {
      if (closed) return
      const turn = { sessionId, text: outgoingQuery(text), at: clock() }
      behind(() => use('onTurnStart', (onTurnStart, call) => onTurnStart(turn, call)))
    },
    recall: async (query) => (closed ? [] : track(recallKept(query))),
    async turnFinished({ sessionId, user, assistant, automated }) {
      if (closed) return
      await queue({
        ...delivered(),
        kind: 'turn',
        sessionId,
        user: outgoingText(user),
        assistant: outgoingText(assistant),
        automated,
      })
      if (recallChars === 0 || stripWhiteSpace(user) === '' || closed) return
      const query = { sessionId, text: outgoingQuery(user), at: clock(), maxChars: recallChars }
      behind(() => use('queuePrefetch', (queuePrefetch, call) => queuePrefetch(query, call), patient))
    },
    memoryWritten({ target, sessionId, added, removed, evicted }) {
      const gone = (entries: typeof removed) => entries.map((entry) => ({ ...entry, text: outgoingText(entry.text) }))
      return queue({
        ...delivered(),
        kind: 'write',
        target,
        ...(sessionId === undefined ? {} : { sessionId }),
        added: added.map((text) => outgoingText(text)),
        removed: gone(removed),
        evicted: gone(evicted),
      })
    },
    sessionSwitched: ({ from, to, reason }) => queue({ ...delivered(), kind: 'switch', from, to, reason }),
    sessionEnded: (sessionId) => queue({ ...delivered(), kind: 'end', sessionId }),
    async beforeCompress(sessionId, messages) {
      if (closed) return ''
      const conversation = { sessionId, messages: await outgoingConversation(messages) }
      const asked = use('onPreCompress', async (onPreCompress, call) => {
        const text = readSummary(await onPreCompress(conversation, call))
        if (text === undefined) throw new HermesError('provider', `'onPreCompress' of memory provider '${name}' must resolve to a text.`)
        return text
      })
      let kept = ''
      const answered = asked.then((outcome) => {
        if (outcome.kind === 'done') kept = outcome.value
      })
      // The hook's own limit does not count while the provider is being opened, or tried again, for something that has more time.
      await within(timeoutMs, track(answered))
      return kept
    },
    callTool: (tool, input, sessionId) => track(runProviderTool({ provider, use, ...patient }, { name: tool, input, sessionId })),
    forget: (target) => track(delivery.paused(() => erase(target))),
    get idle() {
      return pending.size === 0 && delivery.idle && guard.idle
    },
    get canClose() {
      return pending.size === 0 && guard.idle && (keepText ? !delivery.working : delivery.idle)
    },
    settled,
    async deliver() {
      await outbox.refresh()
      delivery.start()
      await settled()
    },
    async close(limitMs) {
      if (closed) return
      closed = true
      const delivers = limitMs > 0
      if (delivers) await within(limitMs, outbox.settled().then(delivery.flush))
      delivery.stop()
      // What is being delivered would otherwise arrive after the erasure that closes the home.
      if (!delivers)
        await within(
          timeoutMs,
          delivery.paused(async () => {}),
        )
      guard.abandon()
      // Other processes may deliver the rest at once.
      if (delivers && (outbox.untidy || outbox.waiting.length > 0)) await within(limitMs, outbox.tidy(0))
      await opener.close()
    },
  }
}
