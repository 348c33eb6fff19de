/** Skills are listed in the frozen text, read and written with the tools of the agent, and reviewed after enough steps with tools. */

import type { SkillProposal } from '@hermes/core/review'
import { expect, it } from 'vitest'
import type { AdapterCapabilities, CreateAdapterHost } from './adapter-host.ts'
import { calls, looksUp, proposes, skillText, userFact } from './model.ts'
import { createWorld, lastTool, type World } from './world.ts'

const SAID = 'To deploy the shop: run the smoke tests, then tag the release.'
const DEPLOY = ['deploy-shop', 'How to deploy the shop.', SAID] as const
const INVOICES = ['read-invoices', 'How to read invoices.', 'Sum up the lines, then compare the total.'] as const

const learned: SkillProposal = {
  target: 'skill',
  op: { action: 'create', name: DEPLOY[0], content: skillText(...DEPLOY) },
  rationale: 'The user said how.',
  score: 0.9,
  evidence: [{ quote: SAID }],
}

const reviewsOf = (world: World) => world.events.flatMap((event) => (event.type === 'review-started' ? [event] : []))

export const skillCases = (createHost: CreateAdapterHost, { toolLoop, extent }: Required<AdapterCapabilities>): void => {
  if (!toolLoop) {
    it('names no skill to an agent that has no tool to load it with', async () => {
      const world = await createWorld(createHost)
      await world.teach(...DEPLOY)
      await world.turn('chat', 'Hello')
      expect(world.turnCalls[0]?.system).not.toMatch(/deploy-shop|skill_view/)
    })
    return
  }

  it('lets the agent write a skill with its own tool, and shows it from the next session on', async () => {
    const world = await createWorld(createHost)
    world.answerTurns(() => calls('skill_manage', { action: 'create', name: DEPLOY[0], content: skillText(...DEPLOY) }))
    await world.turn('chat', SAID)
    expect(lastTool(world)).toContain('"success":true')
    await world.turn('chat', 'Go on')
    expect(new Set(world.turnCalls.map((call) => call.system)).size).toBe(1)
    expect(world.turnCalls[0]?.system).not.toContain(DEPLOY[0])
    await world.turn('next', 'Hello')
    expect(world.turnCalls.at(-1)?.system).toContain(DEPLOY[0])
    expect(await world.hermes().usageStore().get(DEPLOY[0])).toMatchObject({ createdBy: 'agent' })
  })

  if (extent === 'wiring') return

  it('names the skills in the system prompt, moves no byte when one is added, and shows the next session all of them', async () => {
    const world = await createWorld(createHost)
    await world.teach(...DEPLOY)
    await world.turn('chat', 'Hello')
    await world.teach(...INVOICES)
    await world.turn('chat', 'Go on')
    await world.restart()
    await world.turn('chat', 'And on')
    const [system = ''] = world.turnCalls.map((call) => call.system)
    for (const part of DEPLOY.slice(0, 2)) expect(system).toContain(part)
    expect(system).not.toContain(INVOICES[0])
    expect(new Set(world.turnCalls.map((call) => call.system)).size).toBe(1)
    await world.turn('next', 'Hello')
    for (const [name] of [DEPLOY, INVOICES]) expect(world.turnCalls.at(-1)?.system).toContain(name)
  })

  it('lets the agent load a skill with its own tool, and counts that as a view and a use', async () => {
    const world = await createWorld(createHost)
    await world.teach(...DEPLOY)
    world.answerTurns(() => calls('skill_view', { name: DEPLOY[0] }))
    expect(await world.turn('chat', 'Deploy the shop')).toBe('Fine.')
    expect(lastTool(world)).toContain(SAID)
    expect(await world.hermes().usageStore().get(DEPLOY[0])).toMatchObject({ viewCount: 1, useCount: 1, patchCount: 0 })
  })

  it('reviews skills after ten steps that called tools, however many turns they took, the own words first', async () => {
    const world = await createWorld(createHost, { nudge: { memoryInterval: 0 } })
    const reviewsAfter: number[] = []
    for (const steps of [4, 5, 0, 1, 3]) {
      world.answerTurns(...Array.from({ length: steps }, (_, step) => () => looksUp(`topic ${step}`)))
      await world.turn('chat', `Look up ${steps} things`)
      reviewsAfter.push(world.reviewCalls.length)
    }
    // Two passes, because there are tool results.
    expect(reviewsAfter).toEqual([0, 0, 0, 2, 2])
    expect(reviewsOf(world)).toMatchObject([{ reviews: 'skills', iterations: 10 }])
  })

  it('continues counting such steps in another process', async () => {
    const world = await createWorld(createHost, { nudge: { memoryInterval: 0, skillInterval: 2 } })
    world.answerTurns(() => looksUp('one'))
    await world.turn('chat', 'Look it up')
    await world.restart()
    world.answerTurns(() => looksUp('two'))
    await world.turn('chat', 'Once more')
    expect(reviewsOf(world)).toMatchObject([{ iterations: 2 }])
  })

  it('reviews memory and skills that fall due at once together, the own words first, and keeps what the gate lets through of both', async () => {
    const world = await createWorld(createHost, { nudge: { memoryInterval: 2, skillInterval: 2 } })
    world.answerReviews(() => proposes(userFact('Prefers tabs over spaces.', 'I prefer tabs over spaces.'), learned))
    world.answerTurns(() => looksUp('the shop'))
    await world.turn('chat', 'I prefer tabs over spaces.')
    world.answerTurns(() => looksUp('the release'))
    await world.turn('chat', SAID)
    expect(world.reviewCalls).toHaveLength(2)
    expect(reviewsOf(world)).toMatchObject([{ reviews: 'both', turns: 2, iterations: 2 }])
    expect(await world.stored('user')).toBe('Prefers tabs over spaces.')
    expect(await world.hermes().skillStore().view(DEPLOY[0])).toMatchObject({ ok: true, value: { content: skillText(...DEPLOY) } })
    await world.turn('next', 'Hello')
    for (const part of ['Prefers tabs over spaces.', DEPLOY[0]]) expect(world.turnCalls.at(-1)?.system).toContain(part)
  })
}
