/** Asks the provider about a user's words, for at most one time limit, although it may have to be opened first. */
import type { Clock } from '../shared/clock.ts'
import { HermesError } from '../shared/hermes-error.ts'
import type { HookGuard } from './hook-guard.ts'
import { outgoingQuery } from './outgoing-text.ts'
import { readTexts } from './provider-answers.ts'
import type { ProviderConnection } from './provider-connection.ts'
import type { ProviderTimers } from './provider-timers.ts'
import type { UseHook } from './use-hook.ts'

export interface RecallDeps {
  readonly name: string
  readonly use: UseHook
  readonly guard: HookGuard
  readonly clock: Clock
  readonly timers: ProviderTimers
  readonly timeoutMs: number
  readonly recallChars: number
}

type Query = Parameters<ProviderConnection['recall']>[0]

const NOTHING: readonly string[] = []

export const createRecall = ({ name, use, guard, clock, timers, timeoutMs, recallChars }: RecallDeps) => {
  const unusable = () => new HermesError('provider', `'prefetch' of memory provider '${name}' must resolve to a text or a list of texts.`)
  const nothingFits = (dropped: number) =>
    new HermesError(
      'over_limit',
      `None of the ${dropped} texts that memory provider '${name}' recalled fits into the ${recallChars} characters of 'memory.recallChars'.`,
    )
  const tooLate = () =>
    new HermesError(
      'timeout',
      `Opening memory provider '${name}' and asking it took more than ${timeoutMs} ms together, so the turn went on without it.`,
    )

  const ask = async ({ sessionId, text, known }: Query, isLate: () => boolean): Promise<readonly string[]> => {
    const at = clock()
    const query = { sessionId, text: outgoingQuery(text), at, maxChars: recallChars }
    const asked = await use('prefetch', async (prefetch, call) => {
      const read = readTexts(await prefetch(query, call), { maxChars: recallChars, known })
      if (!read) throw unusable()
      return read
    })
    if (asked.kind !== 'done') return NOTHING
    if (isLate()) {
      guard.fail('prefetch', tooLate())
      return NOTHING
    }
    const { texts, dropped } = asked.value
    if (texts.length === 0 && dropped > 0) guard.fail('prefetch', nothingFits(dropped))
    const chars = texts.reduce((sum, each) => sum + each.length, 0)
    guard.emit({ type: 'recalled', sessionId, texts: texts.length, chars, ms: Math.max(0, clock() - at) })
    return texts
  }

  /** Behind: work that goes on after the time limit. */
  return async (query: Query, behind: (work: Promise<unknown>) => void): Promise<readonly string[]> => {
    if (recallChars === 0 || query.text.trim() === '') return NOTHING
    let late = false
    const asking = ask(query, () => late)
    let cancel = () => {}
    // Started after the hook's own limit, which reports what went wrong.
    const timeUp = new Promise<readonly string[]>((resolve) => {
      cancel = timers.after(timeoutMs, true, () => {
        late = true
        behind(asking)
        resolve(NOTHING)
      })
    })
    try {
      return await Promise.race([asking, timeUp])
    } finally {
      cancel()
    }
  }
}
