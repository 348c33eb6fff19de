/** Without an event listener, the operator must still learn that memory does not work. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createHermes } from '../../src/create-hermes.ts'
import { inMemoryBackend } from '../../src/storage/in-memory.ts'
import { readOnlyBackend } from '../../src/storage/read-only-backend.ts'
import type { StorageBackend } from '../../src/storage/storage-backend.ts'
import { user } from './open-home.ts'

const lines: string[] = []

beforeEach(() => {
  lines.length = 0
  vi.spyOn(console, 'warn').mockImplementation((...words) => lines.push(words.join(' ')))
})
afterEach(() => vi.restoreAllMocks())

const useTwice = async (storage: StorageBackend) => {
  for (const id of ['one', 'two']) {
    const hermes = createHermes({ storage })
    await hermes.session(id).systemBlock()
    hermes.session(id).recordTurn({ messages: [user('hello')] })
    await hermes.settled()
  }
}

describe('a memory provider that does not work', () => {
  it('is reported once in a process: which one, and why', async () => {
    const storage = inMemoryBackend()
    for (let home = 0; home < 2; home++) {
      const initialize = () => {
        throw new Error('The key is invalid.')
      }
      const hermes = createHermes({ storage, memory: { provider: { name: 'notes', initialize } } })
      for (const id of ['one', 'two', 'three', 'four']) {
        hermes.session(id).recordTurn({ messages: [user('hello')] })
        await hermes.settled()
        await hermes.session(id).beforeCompress([])
      }
    }
    expect(lines).toHaveLength(1)
    expect(lines[0]).toContain("the memory provider 'notes' does not work")
    expect(lines[0]).toContain('The key is invalid.')
  })
})

describe('a home that cannot be written', () => {
  it('is reported once in a process: what failed, what it means, what to do', async () => {
    await useTwice(readOnlyBackend(inMemoryBackend()))
    expect(lines).toHaveLength(1)
    expect(lines[0]).toContain('nothing new is remembered')
    expect(lines[0]).toContain("'sessions/")
    expect(lines[0]).toContain('onEvent')
  })

  it('is the only reason to speak: a home that works is silent', async () => {
    await useTwice(inMemoryBackend())
    expect(lines).toEqual([])
  })
})

describe('reviews that fail', () => {
  it('are reported when they pause, once, with where to read why', async () => {
    const hermes = createHermes({ storage: inMemoryBackend(), nudge: { memoryInterval: 1 } })
    const model = async (): Promise<string> => {
      throw new Error('no credit')
    }
    for (let turn = 0; turn < 8; turn++) {
      hermes.session('one').recordTurn({ messages: [user(`turn ${turn}`)], model })
      await hermes.settled()
    }
    expect(lines).toHaveLength(1)
    expect(lines[0]).toContain('3 reviews have failed in a row')
    expect(lines[0]).toContain('hermes journal list')
  })
})
