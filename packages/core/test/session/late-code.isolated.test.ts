/** Code that is loaded late and is not there any more: every call answers with an error, and nothing throws into the host. */
import { expect, it, vi } from 'vitest'
import { createHermes } from '../../src/create-hermes.ts'
import { createHermesHomes } from '../../src/create-hermes-homes.ts'
import type { HermesEvent } from '../../src/session/hermes-event.ts'
import { inMemoryBackend } from '../../src/storage/in-memory.ts'

const gone = vi.hoisted(() => () => {
  throw new Error('The file is gone.')
})

vi.mock('../../src/review/apply/dispose-proposal.ts', gone)
vi.mock('../../src/session/review-passes.ts', gone)
vi.mock('../../src/portability/export-home.ts', gone)
vi.mock('../../src/portability/import-archive.ts', gone)
vi.mock('../../src/erasure/forget.ts', gone)
vi.mock('../../src/work-reviews.ts', gone)
vi.mock('../../src/review/decide-pending.ts', gone)
vi.mock('../../src/session/session-reader.ts', gone)

const MISSING = { ok: false, error: { code: 'io', message: expect.stringContaining('could not be loaded') } }
const PROPOSAL = { target: 'memory', op: { action: 'add', content: 'Lives in Bern.' }, rationale: '', score: 1 } as const

it('answers with an error', async () => {
  const hermes = createHermes({ storage: inMemoryBackend() })
  const session = hermes.session('s')
  expect(await session.submit(PROPOSAL)).toMatchObject(MISSING)
  expect(await hermes.export()).toMatchObject(MISSING)
  expect(await hermes.work()).toMatchObject(MISSING)
  expect(await createHermesHomes({ storage: inMemoryBackend() }).work()).toMatchObject(MISSING)
  expect(await hermes.import(new Uint8Array())).toMatchObject(MISSING)
  expect(await hermes.forget('Lives in Bern.')).toMatchObject(MISSING)
  expect(await hermes.pending.list()).toMatchObject(MISSING)
  expect(await hermes.sessions.list()).toMatchObject(MISSING)
  expect(await hermes.sessions.nextBlock()).toBe('')
  const memory = session.offerTools().find(({ name }) => name === 'memory')
  expect(await memory?.execute({ target: 'memory', action: 'add', content: 'Lives in Bern.' })).toMatchObject({ success: false })
  await hermes.close()
})

it('fails a review like a model that fails: told, recorded, and due again', async () => {
  const events: HermesEvent[] = []
  const hermes = createHermes({ storage: inMemoryBackend(), review: { model: async () => '[]' }, onEvent: (event) => events.push(event) })
  const session = hermes.session('s')
  for (let turn = 1; turn <= 3; turn++) {
    session.recordTurn({
      messages: [
        { role: 'user', text: `I live in Bern, street ${turn}.` },
        { role: 'assistant', text: 'Noted.' },
      ],
    })
  }
  expect(await hermes.review()).toMatchObject(MISSING)
  expect(events).toContainEqual(expect.objectContaining({ type: 'review-failed', error: expect.objectContaining({ code: 'io' }) }))
  const records = await hermes.journal.list()
  expect(records.ok && records.value.map(({ kind }) => kind)).toContain('review-failed')
  await hermes.close()
})
