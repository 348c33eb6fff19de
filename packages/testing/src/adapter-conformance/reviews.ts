/** Reviews use the model of the host, pass the gate, run in the background and at the end of a session, and never review themselves. */

import { expect, it } from 'vitest'
import type { AdapterCapabilities, CreateAdapterHost } from './adapter-host.ts'
import { proposes, says, userFact } from './model.ts'
import { createWorld, INSTRUCTIONS, textOf, type World } from './world.ts'

export const reviewCases = (createHost: CreateAdapterHost, { extent }: Required<AdapterCapabilities>): void => {
  it('writes what the gate lets through, and nothing else', async () => {
    const world = await createWorld(createHost, { nudge: { memoryInterval: 1 } })
    world.answerReviews(() =>
      proposes(
        userFact('Prefers tabs over spaces.', 'I prefer tabs over spaces.'),
        userFact('Lives in a lighthouse.', 'I live in a lighthouse.'),
        userFact('Prefers tabs, perhaps.', 'I prefer tabs over spaces.', 0.2),
      ),
    )
    await world.turn('chat', 'I prefer tabs over spaces.')
    expect(await world.stored('user')).toBe('Prefers tabs over spaces.')
    const finished = world.events.find((event) => event.type === 'review-finished')
    const { applied = [], held = [], rejected = [] } = finished?.outcome ?? {}
    // What nobody said waits for a person; what the reviewer is not sure of is dropped.
    expect([applied.length, held.length, rejected.length]).toEqual([1, 1, 1])
    await world.turn('next', 'Hello')
    expect(world.turnCalls.at(-1)?.system).toContain('Prefers tabs over spaces.')
  })

  if (extent === 'wiring') return

  it('asks the host’s own model, with the conversation and without the host’s system prompt', async () => {
    const world = await createWorld(createHost, { nudge: { memoryInterval: 2 } })
    await world.turn('chat', 'I prefer tabs over spaces.')
    world.answerTurns(() => says('Tabs it ', 'is.'))
    await world.turn('chat', 'Please use them.')
    expect(world.reviewCalls).toHaveLength(1)
    const review = world.reviewCalls[0]
    expect(review?.system).not.toContain(INSTRUCTIONS)
    const asked = textOf(review)
    for (const said of ['I prefer tabs over spaces.', 'Please use them.', 'Tabs it is.']) expect(asked).toContain(said)
  })

  it('reads each turn in exactly one review, also if the host shows a window of the conversation', async () => {
    const world = await createWorld(createHost, { nudge: { memoryInterval: 3 } })
    for (let turn = 1; turn <= 9; turn++) {
      await world.turn('chat', `Question ${turn}.`)
      if (turn % 3 !== 0) world.dropHistory('chat', 2)
    }
    const asked = world.reviewCalls.map(textOf)
    const readIn = Array.from({ length: 9 }, (_, at) =>
      asked.flatMap((text, review) => (text.includes(`Question ${at + 1}.`) ? [review] : [])),
    )
    expect(readIn).toEqual([[0], [0], [0], [1], [1], [1], [2], [2], [2]])
  })

  it('shows this session nothing of what a review wrote', async () => {
    const world = await createWorld(createHost, { nudge: { memoryInterval: 1 } })
    world.answerReviews(() => proposes(userFact('Prefers tabs over spaces.', 'I prefer tabs over spaces.')))
    await world.turn('chat', 'I prefer tabs over spaces.')
    await world.turn('chat', 'Go on.')
    expect(world.turnCalls[1]?.system).toBe(world.turnCalls[0]?.system)
  })

  it('does not keep the user waiting for a review', async () => {
    const world = await createWorld(createHost, { nudge: { memoryInterval: 1 } })
    let release = (): void => undefined
    const released = new Promise<void>((resolve) => {
      release = resolve
    })
    world.answerReviews(async () => {
      await released
      return proposes(userFact('Prefers tabs over spaces.', 'I prefer tabs over spaces.'))
    })
    expect(await world.send('chat', 'I prefer tabs over spaces.')).toBe('Fine.')
    expect(await world.send('chat', 'Go on.')).toBe('Fine.')
    expect(await world.stored('user')).toBe('')
    release()
    await world.settled()
    expect(await world.stored('user')).toContain('Prefers tabs over spaces.')
  })

  it('does not review its own reviews', async () => {
    const world = await createWorld(createHost, { nudge: { memoryInterval: 1 } })
    for (const text of ['One', 'Two', 'Three']) await world.turn('chat', text)
    await world.settled()
    expect(world.reviewCalls).toHaveLength(3)
    expect(world.turnCalls).toHaveLength(3)
  })
}

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
