/** The end of a session: it reviews a short conversation too, and turns that are too few for a review count for the next one. */
import { expect, it } from 'vitest'
import type { AdapterCapabilities, CreateAdapterHost } from './adapter-host.ts'
import { proposes, userFact } from './answers.ts'
import { createWorld, textOf, type World } from './world.ts'

const END = { ok: true, value: { kind: 'reviewed' } }

const say = async (world: World, sessionId: string, ...texts: readonly string[]): Promise<void> => {
  for (const text of texts) await world.turn(sessionId, text)
}

export const endCases = (createHost: CreateAdapterHost, { extent }: Required<AdapterCapabilities>): void => {
  it('reviews three short turns when their session ends, once, and the next session knows what was learned', async () => {
    const world = await createWorld(createHost)
    world.answerReviews(() => proposes(userFact('Lives in Lisbon.', 'I live in Lisbon.')))
    await say(world, 'chat', 'Hello.', 'I live in Lisbon.', 'Thanks.')
    expect(world.reviewCalls).toHaveLength(0)
    expect(await world.hermes().session('chat').end()).toMatchObject(END)
    expect(world.reviewCalls).toHaveLength(1)
    for (const text of ['Hello.', 'I live in Lisbon.', 'Thanks.']) expect(textOf(world.reviewCalls[0])).toContain(text)
    expect(await world.hermes().session('chat').end()).toMatchObject({ ok: true, value: { kind: 'nothing-due' } })

    await world.turn('next', 'Where do I live?')
    expect(world.turnCalls.at(-1)?.system).toContain('Lives in Lisbon.')
    expect(world.reviewCalls).toHaveLength(1)
  })

  if (extent === 'wiring') return

  it('reviews no two turns when their session ends; they count for the next', async () => {
    const world = await createWorld(createHost)
    await say(world, 'chat', 'I live in Lisbon.', 'Thanks.')
    expect(await world.hermes().session('chat').end()).toEqual({ ok: true, value: { kind: 'nothing-due', unreadTurns: 2 } })
    expect(world.reviewCalls).toHaveLength(0)

    await say(world, 'next', 'I work in Porto.')
    expect(await world.hermes().session('next').end()).toMatchObject(END)
    expect(world.reviewCalls).toHaveLength(1)
    for (const text of ['I live in Lisbon.', 'Thanks.', 'I work in Porto.']) expect(textOf(world.reviewCalls[0])).toContain(text)
  })
}
