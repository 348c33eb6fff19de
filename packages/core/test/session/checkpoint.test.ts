import { describe, expect, it } from 'vitest'
import { inMemoryBackend } from '../../src/storage/in-memory.ts'
import { assistant, openHome, proposing, remember, user } from './open-home.ts'

const checkpoint = { block: 'FROZEN ELSEWHERE', userTurns: 18, toolIterations: 3 }

describe('a session that a framework kept a checkpoint of', () => {
  it('continues with the text and the counts of the checkpoint if the storage has no record', async () => {
    const { hermes, events } = openHome(inMemoryBackend())
    const session = hermes.session('one', checkpoint)
    expect(await session.systemBlock()).toBe('FROZEN ELSEWHERE')
    session.recordTurn({ messages: [user('q19'), assistant('a19')], model: proposing('x') })
    await hermes.settled()
    expect(events.some((event) => event.type === 'review-started')).toBe(false)
    session.recordTurn({ messages: [user('q20'), assistant('a20')], model: proposing('x') })
    await hermes.settled()
    expect(events.find((event) => event.type === 'review-started')).toMatchObject({ turns: 10 })
  })

  it('freezes again if the checkpoint kept only the counts', async () => {
    const storage = inMemoryBackend()
    await remember(storage, 'The repo builds with pnpm 12.')
    const { hermes, events } = openHome(storage)
    const session = hermes.session('one', { userTurns: 19, toolIterations: 0 })
    expect(await session.systemBlock()).toContain('pnpm 12')
    session.recordTurn({ messages: [user('q20'), assistant('a20')], model: proposing('x') })
    await hermes.settled()
    expect(events.find((event) => event.type === 'review-started')).toMatchObject({ turns: 10 })
  })

  it('believes the record of the storage if there is one', async () => {
    const storage = inMemoryBackend()
    const first = openHome(storage).hermes
    await remember(storage, 'The repo builds with pnpm 12.')
    const block = await first.session('one').systemBlock()
    await first.settled()
    const second = openHome(storage).hermes
    expect(block).toContain('pnpm 12')
    expect(await second.session('one', checkpoint).systemBlock()).toBe(block)
  })
})
