/** The code of the journal and of reviews is not there any more: turns go on, the failures are told, and the next process reviews what is unread. */
import { expect, it, vi } from 'vitest'
import { createHermes } from '../../src/create-hermes.ts'
import type { HermesEvent } from '../../src/session/hermes-event.ts'
import { inMemoryBackend } from '../../src/storage/in-memory.ts'

const gone = vi.hoisted(() => () => {
  throw new Error('The file is gone.')
})
const LATE = ['../../src/session/reviews.ts', '../../src/journal/journal.ts'] as const

vi.mock('../../src/session/reviews.ts', gone)
vi.mock('../../src/journal/journal.ts', gone)

const MISSING = { ok: false, error: { code: 'io', message: expect.stringContaining('could not be loaded') } }
const ANSWER = JSON.stringify({
  proposals: [{ target: 'memory', op: { action: 'add', content: 'Lives in Bern.' }, score: 0.9, evidence: [{ quote: 'I live in Bern' }] }],
})

it('loses no turn', async () => {
  const storage = inMemoryBackend()
  const events: HermesEvent[] = []
  const options = {
    storage,
    review: { model: async () => ANSWER },
    nudge: { memoryInterval: 1 },
    onEvent: (event: HermesEvent) => events.push(event),
  }
  const first = createHermes(options)
  const session = first.session('s')
  expect(await session.systemBlock()).toBe('')
  session.recordTurn({
    messages: [
      { role: 'user', text: 'I live in Bern.' },
      { role: 'assistant', text: 'Noted.' },
    ],
  })
  await first.settled()
  const told = events.flatMap((event) => (event.type === 'storage-failed' ? [event.operation] : []))
  expect(told).toContain('load reviews')
  expect(await first.review()).toMatchObject(MISSING)
  expect(await first.journal.list()).toMatchObject(MISSING)
  expect(await first.memoryStore().apply('memory', { action: 'add', content: 'Tests run with Vitest.' })).toMatchObject(MISSING)
  await first.settled()

  for (const file of LATE) vi.doUnmock(file)
  vi.resetModules()
  const restarted = await import('../../src/create-hermes.ts')
  const next = restarted.createHermes({ ...options, storage })
  expect(await next.review()).toMatchObject({ ok: true, value: { kind: 'reviewed', turns: 1 } })
  const store = next.memoryStore()
  expect(await store.current('memory')).toEqual({ ok: true, value: ['Lives in Bern.'] })
  await next.close()
})
