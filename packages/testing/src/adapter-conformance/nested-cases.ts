/** Nested runs: a question that a tool asks the model is neither a turn nor the words of the user, in any session. */
import { expect, it } from 'vitest'
import type { AdapterCapabilities, CreateAdapterHost } from './adapter-host.ts'
import { calls, delegates, proposes, says, userFact } from './answers.ts'
import { createWorld, lastTool, reviewedTurns } from './world.ts'

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
