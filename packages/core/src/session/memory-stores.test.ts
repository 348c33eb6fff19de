import { describe, expect, it } from 'vitest'
import type { MemoryWrite } from '../memory/memory-store-options.ts'
import { inMemoryBackend } from '../storage/in-memory.ts'
import type { HermesEvent } from './hermes-event.ts'
import { memoryStores } from './memory-stores.ts'

describe('the event of a write', () => {
  const entry = { text: 'old' }

  it.each([
    ['an entry was added', [1, 0, 0], true],
    ['one was removed', [0, 1, 0], true],
    ['one was replaced', [1, 1, 0], true],
    ['one made room for another', [1, 0, 1], true],
    ['nothing changed', [0, 0, 0], false],
  ])('is sent if %s', (_, [added = 0, removed = 0, evicted = 0], isSent) => {
    const events: HermesEvent[] = []
    const stores = memoryStores({ options: { storage: inMemoryBackend() }, clock: () => 5, emit: (event) => events.push(event) })
    const changes = {
      added: Array.from({ length: added }, () => 'new'),
      removed: Array.from({ length: removed }, () => entry),
      evicted: Array.from({ length: evicted }, () => entry),
    }
    stores.tell({ target: 'user', changes } as unknown as MemoryWrite, { actor: 'host', sessionId: 'one' })
    const event = { type: 'memory-changed', at: 5, sessionId: 'one', actor: 'host', target: 'user', ...changes }
    expect(events).toEqual(isSent ? [event] : [])
  })
})
