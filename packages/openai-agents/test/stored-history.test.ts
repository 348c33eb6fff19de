/** Conversations that the provider stores: the prompt is hidden there, and a request holds only what is new. */
import type { Model, ModelRequest } from '@openai/agents'
import { describe, expect, it } from 'vitest'
import { hermesTools, runWithHermes, withHermes } from '../src/index.ts'
import { RELEASES } from './support/releases.ts'
import { called, said, textsOf } from './support/scripted-model.ts'
import { openWorld, reviewed, type World } from './support/world.ts'

const PAGE = 'Internal page: the deploy key is rotated on Mondays.'

describe.each(RELEASES)('$name', ({ sdk }) => {
  const EMPTY = { type: 'object', properties: {}, required: [], additionalProperties: true } as never
  const page = sdk.tool({ name: 'page', description: 'Reads.', strict: false, parameters: EMPTY, execute: async () => PAGE })
  const agentOf = (world: World, model: Model = withHermes(world.model, world.hermes.session('chat'), { onWarning: world.onWarning })) =>
    new sdk.Agent({ name: 'Host', instructions: 'You host.', model, tools: [page] })
  const last = ({ asked }: World): ModelRequest => asked.at(-1) as ModelRequest

  it('each message is one turn, the same words again included', async () => {
    const world = openWorld(sdk)
    const agent = agentOf(world)
    for (const text of ['go on', 'go on', 'go on', 'stop']) await sdk.run(agent, text, { conversationId: 'conv_1' })
    expect(textsOf(last(world))).toEqual(['stop'])
    expect(await world.turns()).toBe(4)
  })

  it.each(['whole answers', 'streams'])('a chain of responses is followed through tools, each message being one turn: %s', async (way) => {
    const world = openWorld(sdk)
    const agent = agentOf(world)
    const go = async (previous: object = {}) => {
      if (way === 'whole answers') return sdk.run(agent, 'go on', previous)
      const result = await sdk.run(agent, 'go on', { ...previous, stream: true })
      await result.completed
      return result
    }
    const first = await go()
    world.next(called('page'), said('On Mondays.'))
    const second = await go({ previousResponseId: String(first.lastResponseId) })
    expect(textsOf(last(world))).toEqual([PAGE])
    await go({ previousResponseId: String(second.lastResponseId) })
    expect(await world.turns()).toBe(3)
    expect(reviewed(world)).not.toContain('which only the provider has')
  })

  it('a conversation that goes on in another process counts its new message alone', async () => {
    const world = openWorld(sdk)
    for (const text of ['One', 'Two']) await sdk.run(agentOf(world), text, { conversationId: 'conv_1' })
    const other = openWorld(sdk)
    await sdk.run(agentOf(other), 'Three', { conversationId: 'conv_1' })
    expect([await world.turns(), await other.turns()]).toEqual([2, 1])
    expect(reviewed(other)).not.toContain('Two')
  })

  it('what only the provider has counts as text from outside', async () => {
    const fact = 'The deploy key is rotated on Mondays.'
    const storedAfter = async (options: object) => {
      const world = openWorld(sdk)
      const evidence = [{ quote: fact }]
      world.propose([{ target: 'memory', op: { action: 'add', content: fact }, rationale: 'said', score: 0.9, evidence }])
      world.next(said(fact))
      await sdk.run(agentOf(world), 'When is it rotated?', options)
      return world.stored('memory')
    }
    // The page came in an earlier process, and the model just repeats it.
    expect(await storedAfter({ conversationId: 'conv_1' })).toEqual([])
    expect(await storedAfter({})).toEqual([fact])
  })

  it('the user’s own words are learned from all the same', async () => {
    const world = openWorld(sdk, { trust: 'strict' })
    const evidence = [{ quote: 'I live in Namur.' }]
    world.propose([{ target: 'user', op: { action: 'add', content: 'Lives in Namur.' }, rationale: 'said', score: 0.9, evidence }])
    await sdk.run(agentOf(world), 'I live in Namur.', { conversationId: 'conv_1' })
    expect(await world.stored('user')).toEqual(['Lives in Namur.'])
  })

  it('two people with one conversation see nothing of each other', async () => {
    const world = openWorld(sdk)
    const model = withHermes(world.model, world.hermes, { onWarning: world.onWarning })
    const agent = agentOf(world, model)
    await runWithHermes({ sessionId: 'ada' }, () => sdk.run(agent, 'My door code is 4711 in green.', { conversationId: 'shared' }))
    await world.hermes.settled()
    const before = world.reviews.length
    await runWithHermes({ sessionId: 'bob' }, () => sdk.run(agent, 'Hello', { conversationId: 'shared' }))
    await world.hermes.settled()
    expect(world.reviews.slice(before).flatMap(textsOf).join()).not.toContain('4711')
  })

  it('the agent’s own tool writes what the user asks for', async () => {
    const world = openWorld(sdk)
    const session = world.hermes.session('chat')
    const tools = hermesTools(session)
    const agent = new sdk.Agent({ name: 'Host', model: withHermes(world.model, session), tools })
    world.next(called('memory', { target: 'memory', action: 'add', content: 'The office is in a lighthouse.' }))
    await sdk.run(agent, 'Please remember that the office is in a lighthouse.', { conversationId: 'conv_1' })
    expect(await world.stored('memory')).toEqual(['The office is in a lighthouse.'])
  })

  it('a review never becomes a part of the conversation', async () => {
    const digest = openWorld(sdk)
    await sdk.run(agentOf(digest), 'Hello', { conversationId: 'conv_1' })
    await digest.hermes.settled()
    expect(digest.reviews.map(({ conversationId }) => conversationId)).toEqual(digest.reviews.map(() => undefined))
    expect(digest.reviews.length).toBeGreaterThan(0)
    const replay = openWorld(sdk, { review: { mode: 'replay' } })
    replay.next(called('page'), said('On Mondays.'))
    await sdk.run(agentOf(replay), 'Hello', { conversationId: 'conv_1' })
    await replay.hermes.settled()
    expect(replay.reviews.every(({ conversationId }) => conversationId === undefined)).toBe(true)
    const failed = replay.events.flatMap((event) => (event.type === 'review-failed' ? [event.error.message] : []))
    expect(failed.join()).toMatch(/cannot be replayed.*mode: 'digest'/)
  })
})
