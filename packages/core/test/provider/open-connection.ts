/** A connection to a provider that a test defines, with a clock and timers that only the test moves. */

import type { HomeProvider, MemoryProvider } from '../../src/provider/memory-provider.ts'
import { ProviderConnection } from '../../src/provider/provider-connection.ts'
import type { ProviderConnectionOptions, ProviderEvent, ProviderTimers } from '../../src/provider/provider-options.ts'
import { ok } from '../../src/shared/result.ts'
import { inMemoryBackend } from '../../src/storage/in-memory.ts'
import { readDocument } from '../../src/storage/one-document.ts'
import type { StorageBackend } from '../../src/storage/storage-backend.ts'

export const START = Date.UTC(2026, 0, 5, 12)

/** Timers that fire when the test moves the clock. */
export const manualTime = () => {
  let now = START
  const timers = new Set<{ readonly at: number; readonly then: () => void }>()
  const pass = async () => {
    for (let round = 0; round < 50; round++) await new Promise((resolve) => setImmediate(resolve))
  }
  return {
    clock: () => now,
    timers: {
      after(ms, _keepsAlive, then) {
        const timer = { at: now + ms, then }
        timers.add(timer)
        return () => timers.delete(timer)
      },
    } satisfies ProviderTimers,
    /** Timers that have not fired. */
    get waiting() {
      return timers.size
    },
    /** Lets everything run that needs no time. */
    pass,
    /** Fires the timers that are due within `ms`, in order. */
    async move(ms: number) {
      const until = now + ms
      await pass()
      for (;;) {
        const [next] = [...timers].filter(({ at }) => at <= until).sort((a, b) => a.at - b.at)
        if (!next) break
        timers.delete(next)
        now = Math.max(now, next.at)
        next.then()
        await pass()
      }
      now = until
      await pass()
    },
  }
}

export interface ConnectionTest extends Partial<Omit<ProviderConnectionOptions, 'provider' | 'home'>> {
  readonly storage?: StorageBackend
  readonly provider?: Partial<MemoryProvider>
  readonly time?: ReturnType<typeof manualTime>
  readonly home?: Partial<ProviderConnectionOptions['home']>
}

/** `hooks`: what `initialize` returns. */
export const openConnection = (hooks: HomeProvider, options: ConnectionTest = {}) => {
  const { storage = inMemoryBackend(), time = manualTime(), provider, home, ...more } = options
  const events: ProviderEvent[] = []
  const crashes: unknown[] = []
  let ids = 0
  const prefix = Math.random().toString(36).slice(2, 8)
  const connection = new ProviderConnection({
    provider: { name: 'testing', initialize: () => hooks, ...provider },
    home: { owner: undefined, folder: () => '', storage, archived: async () => ok([]), ...home },
    clock: time.clock,
    timers: time.timers,
    createId: () => `${prefix}-${++ids}`,
    timeoutMs: 1_000,
    recallChars: 200,
    keepText: true,
    emit: (event) => events.push(event),
    run: (work) => void work().catch((cause: unknown) => crashes.push(cause)),
    ...more,
  })
  return {
    connection,
    events,
    crashes,
    storage,
    time,
    /** Events without those of successful recalls, in short. */
    troubles: () =>
      events.flatMap((event) => {
        if (event.type === 'recalled') return []
        return [event.type === 'provider-failed' ? `${event.type} ${event.operation} ${event.error.code}` : event.type]
      }),
    recall: (text = 'what do I like?', known: readonly string[] = []) =>
      connection.recall({ sessionId: 'chat', text, known: new Set(known) }),
    finish: (user: string, assistant = 'I see.') => connection.turnFinished({ sessionId: 'chat', user, assistant, automated: false }),
    async stored() {
      const found = await readDocument(storage, 'provider/testing.json')
      return found.ok && found.value ? JSON.parse(new TextDecoder().decode(found.value.bytes)) : undefined
    },
  }
}
