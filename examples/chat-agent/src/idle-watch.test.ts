import { createHermes, type HermesEvent, inMemoryBackend, type StorageBackend } from '@hermes/core'
import { updateDocument } from '@hermes/core/storage'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { createIdleWatch, LOOK_EVERY_MS } from './idle-watch.ts'

const HOUR = 3_600_000

beforeEach(() => {
  vi.useFakeTimers({ now: Date.UTC(2026, 5, 1) })
})
afterEach(() => {
  vi.useRealTimers()
})

const write = (storage: StorageBackend, path: string, value: unknown) =>
  updateDocument(storage, path, () => new TextEncoder().encode(JSON.stringify(value)))

const openHome = async () => {
  const storage = inMemoryBackend()
  await write(storage, 'skills/.curator_state', { last_run_at: '2026-05-20T00:00:00+00:00' })
  const events: HermesEvent[] = []
  const hermes = createHermes({ storage, onEvent: (event) => events.push(event) })
  hermes.session('s').recordTurn({ messages: [{ role: 'user', text: 'hello' }] })
  await hermes.settled()
  const finished = () => events.filter(({ type }) => type === 'curator-finished').length
  const pass = async (ms: number) => {
    await vi.advanceTimersByTimeAsync(ms)
    await hermes.settled()
  }
  return { watch: createIdleWatch(hermes), finished, pass }
}

it('runs the curator once, when nobody has typed for as long as it wants', async () => {
  const { watch, finished, pass } = await openHome()
  let typed: (line: string) => void = () => {}
  const line = watch.during(
    new Promise<string>((resolve) => {
      typed = resolve
    }),
  )
  await pass(2 * HOUR)
  expect(finished()).toBe(0)
  await pass(2 * LOOK_EVERY_MS)
  expect(finished()).toBe(1)
  await pass(24 * HOUR)
  expect(finished()).toBe(1)
  typed('hello')
  expect(await line).toBe('hello')
})

it('does not look while nobody is waited for', async () => {
  const { watch, finished, pass } = await openHome()
  await watch.during(Promise.resolve())
  await pass(24 * HOUR)
  expect(finished()).toBe(0)
  expect(vi.getTimerCount()).toBe(0)
})
