/** Turns: a user turn counts once, regardless of the calls that the framework makes for it, and a question that a tool asks the model is none. */

import { expect, it } from 'vitest'
import type { AdapterCapabilities, CreateAdapterHost } from './adapter-host.ts'
import { calls, delegates, fails, looksUp, proposes, says, userFact } from './model.ts'
import { createWorld, lastTool, reviewedTurns, textOf } from './world.ts'

export const turnCases = (createHost: CreateAdapterHost, { toolLoop, retries, extent }: Required<AdapterCapabilities>): void => {
  it('reviews at turn 10 and at turn 20, and at no other', async () => {
    const world = await createWorld(createHost)
    const reviewsAfter: number[] = []
    for (let turn = 1; turn <= 21; turn++) {
      await world.turn('chat', `Question ${turn}`)
      if ([9, 10, 11, 19, 20, 21].includes(turn)) reviewsAfter.push(world.reviewCalls.length)
    }
    expect(reviewsAfter).toEqual([0, 1, 1, 1, 2, 2])
    expect(reviewedTurns(world)).toEqual([10, 10])
  })

  if (toolLoop) {
    it('counts the steps of a tool loop as one turn', async () => {
      const world = await createWorld(createHost, { nudge: { memoryInterval: 3 } })
      world.answerTurns(
        () => looksUp('one'),
        () => looksUp('two'),
        () => looksUp('three'),
      )
      await world.turn('chat', 'Look it up')
      expect(world.turnCalls).toHaveLength(4)
      await world.turn('chat', 'Thanks')
      expect(world.reviewCalls).toHaveLength(0)
      await world.turn('chat', 'Bye')
      expect(reviewedTurns(world)).toEqual([3])
    })
  }

  if (extent === 'wiring') return

  it('reviews after ten turns in four sessions, and reads each of them once', async () => {
    const world = await createWorld(createHost)
    const said: string[] = []
    for (const [session, turns] of [
      ['one', 3],
      ['two', 2],
      ['three', 4],
      ['four', 2],
    ] as const)
      for (let turn = 1; turn <= turns; turn++) {
        const text = `In session ${session}, turn ${turn}.`
        said.push(text)
        await world.turn(session, text)
        expect(world.reviewCalls).toHaveLength(said.length < 10 ? 0 : 1)
      }
    expect(reviewedTurns(world)).toEqual([10])
    const read = textOf(world.reviewCalls[0])
    expect(said.map((text) => read.split(`] ${text}`).length - 1)).toEqual(said.map((_, at) => (at < 10 ? 1 : 0)))
  })

  if (toolLoop) {
    it('does not review in the middle of a tool loop', async () => {
      const world = await createWorld(createHost, { nudge: { memoryInterval: 1 } })
      const reviewsSeen: number[] = []
      world.answerTurns(
        () => looksUp('one'),
        async () => {
          await world.settled()
          reviewsSeen.push(world.reviewCalls.length)
          return says('Done.')
        },
      )
      await world.turn('chat', 'Look it up')
      expect(reviewsSeen).toEqual([0])
      // One review with two passes: the own words, then everything including the tool result.
      expect(world.reviewCalls).toHaveLength(2)
    })
  }

  if (retries) {
    it('counts a call that is tried again as one turn', async () => {
      const world = await createWorld(createHost, { nudge: { memoryInterval: 2 } })
      world.answerTurns(() => fails(new Error('503'), true))
      expect(await world.turn('chat', 'Hello')).toBe('Fine.')
      expect(world.turnCalls).toHaveLength(2)
      expect(world.reviewCalls).toHaveLength(0)
      await world.turn('chat', 'Bye')
      expect(reviewedTurns(world)).toEqual([2])
    })
  }

  it('does not count a turn that failed and is asked for again twice', async () => {
    const world = await createWorld(createHost, { nudge: { memoryInterval: 2 } })
    world.answerTurns(() => fails(new Error('out of credit')))
    await expect(world.turn('chat', 'Hello')).rejects.toThrow()
    expect(await world.turn('chat', 'Hello', { regenerate: true })).toBe('Fine.')
    expect(world.reviewCalls).toHaveLength(0)
    await world.turn('chat', 'Bye')
    expect(reviewedTurns(world)).toEqual([2])
  })

  it('does not count a regenerated answer', async () => {
    const world = await createWorld(createHost, { nudge: { memoryInterval: 3 } })
    await world.turn('chat', 'First')
    await world.turn('chat', 'Second')
    await world.turn('chat', 'Second', { regenerate: true })
    await world.turn('chat', 'Second', { regenerate: true })
    expect(world.turnCalls.at(-1)?.messages.map((message) => message.text)).toEqual(['First', 'Fine.', 'Second'])
    expect(world.reviewCalls).toHaveLength(0)
    await world.turn('chat', 'Third')
    expect(reviewedTurns(world)).toEqual([3])
  })

  it('continues counting in another process', async () => {
    const world = await createWorld(createHost, { nudge: { memoryInterval: 4 } })
    await world.turn('chat', 'One')
    await world.turn('chat', 'Two')
    await world.restart()
    await world.turn('chat', 'Three')
    expect(world.reviewCalls).toHaveLength(0)
    await world.turn('chat', 'Four')
    expect(reviewedTurns(world)).toEqual([4])
  })
}

const QUESTION = 'I live on Mars. What do I need?'
const FACT = 'The user lives on Mars.'

export const nestedCases = (createHost: CreateAdapterHost, { abort, extent }: Required<AdapterCapabilities>): void => {
  it.each([
    ['of the same session', 'chat'],
    ['of another session', 'research'],
  ])('neither counts nor trusts what a tool asks %s', async (_what, asked) => {
    const world = await createWorld(createHost, { nudge: { memoryInterval: 1 } })
    world.answerReviews(() => proposes(userFact(FACT, 'I live on Mars.')))
    world.answerTurns(
      () => delegates(asked, QUESTION),
      () => says('A warm coat.'),
      () => says('The research says: a warm coat.'),
    )
    expect(await world.turn('chat', 'Look into it please')).toBe('The research says: a warm coat.')
    expect(world.turnCalls[1]?.messages).toEqual([{ role: 'user', text: QUESTION }])
    expect(reviewedTurns(world)).toEqual([1])
    expect(await world.stored('user')).toBe('')
  })

  if (extent === 'wiring') return

  it('continues after a history, with tools of its own', async () => {
    const world = await createWorld(createHost, { nudge: { memoryInterval: 3 } })
    await world.turn('chat', 'Hello')
    world.answerTurns(
      () => delegates('chat', 'Read the page about coats.'),
      () => calls('lookup', { topic: 'coats' }),
      () => says('Coats are warm.'),
    )
    await world.turn('chat', 'Look into it please')
    expect(world.turnCalls).toHaveLength(5)
    expect(world.reviewCalls).toHaveLength(0)
    await world.turn('chat', 'Thanks')
    expect(reviewedTurns(world)).toEqual([3])
  })

  it('lets the tools of a nested run write nothing as the user’s', async () => {
    const world = await createWorld(createHost)
    world.answerTurns(
      () => delegates('chat', QUESTION),
      () => calls('memory', { target: 'user', action: 'add', content: 'Lives on Mars.' }),
    )
    await world.turn('chat', 'Look into it please')
    expect(world.turnCalls).toHaveLength(4)
    expect(await world.stored('user')).toBe('')
  })

  it('lets the agent’s own tools write after a nested run', async () => {
    const world = await createWorld(createHost)
    world.answerTurns(
      () => delegates('chat', 'What is a lighthouse?'),
      () => says('A tower.'),
      () => says('A tower.'),
      () => calls('memory', { target: 'memory', action: 'add', content: 'The office is in a lighthouse.' }),
    )
    await world.turn('chat', 'Look into it please')
    await world.turn('chat', 'Please remember that the office is in a lighthouse.')
    expect(JSON.parse(lastTool(world))).toMatchObject({ success: true })
    expect(await world.stored('memory')).toBe('The office is in a lighthouse.')
  })

  if (abort) {
    it('counts the user’s next turn when the tool was abandoned', async () => {
      const world = await createWorld(createHost, { nudge: { memoryInterval: 1 } })
      const controller = new AbortController()
      world.answerTurns(
        () => delegates('chat', QUESTION),
        () => {
          controller.abort()
          throw new Error('aborted')
        },
      )
      await world.turn('chat', 'Look into it please', { signal: controller.signal }).catch(() => undefined)
      await world.settled()
      const before = world.reviewCalls.length
      expect(await world.turn('chat', 'What time is it?')).toBe('Fine.')
      expect(world.reviewCalls).toHaveLength(before + 1)
      expect(world.reviewCalls.at(-1)?.messages.at(-1)?.text).toContain('What time is it?')
    })
  }
}
