/** What is one turn of the user in the SDK's own ways of running agents. */
import { inMemoryBackend } from '@hermes/core'
import type { AgentInputItem, Handoff, Model } from '@openai/agents'
import { describe, expect, it } from 'vitest'
import { hermesTools, runWithHermes, withHermes } from '../src/index.ts'
import { RELEASES } from './support/releases.ts'
import { called, said, textsOf, user } from './support/scripted-model.ts'
import { openWorld, reviewed, type World } from './support/world.ts'

const EMPTY = { type: 'object', properties: {}, required: [], additionalProperties: true } as const

describe.each(RELEASES)('$name', ({ sdk }) => {
  const { Agent, MemorySession, run, tool } = sdk
  const open = (options?: Parameters<typeof openWorld>[1]) => openWorld(sdk, options)
  const wrapped = ({ model, hermes, onWarning }: World, sessionId = 'chat'): Model =>
    withHermes(model, hermes.session(sessionId), { onWarning })

  describe('hand-offs', () => {
    const handOff = (world: World, inputFilter?: NonNullable<Handoff['inputFilter']>) => {
      const expert = new Agent({ name: 'Expert', instructions: 'You are the expert.', model: wrapped(world) })
      const desk = sdk.handoff(expert, inputFilter ? { inputFilter } : {})
      return new Agent({ name: 'Desk', instructions: 'You are the desk.', model: wrapped(world), handoffs: [desk] })
    }

    it('are one turn, and every agent of it has the memory', async () => {
      const world = open()
      await world.hermes.memoryStore().load()
      const agent = handOff(world)
      const session = new MemorySession()
      world.next(called('transfer_to_Expert'), said('The expert says: a coat.'))
      const first = await run(agent, 'What do I need in Oslo?', { session })
      expect(first.finalOutput).toBe('The expert says: a coat.')
      expect(await world.turns()).toBe(1)
      await run(agent, 'And in Rome?', { session })
      expect(await world.turns()).toBe(2)
      const [desk, expert] = world.asked.map(({ systemInstructions }) => systemInstructions?.split('\n\n'))
      expect([desk?.[0], expert?.[0]]).toEqual(['You are the desk.', 'You are the expert.'])
      expect(desk?.slice(1)).toEqual(expert?.slice(1))
    })

    it('leave the tools of the next agent what they may do', async () => {
      const world = open()
      const session = world.hermes.session('chat')
      const expert = new Agent({ name: 'My Expert', model: wrapped(world), tools: hermesTools(session) })
      const desk = new Agent({ name: 'Desk', model: wrapped(world), handoffs: [expert] })
      world.next(called('transfer_to_My_Expert'), called('memory', { target: 'user', action: 'add', content: 'Plays the cello.' }))
      await run(desk, 'Remember that I play the cello.')
      expect(await world.stored('user')).toEqual(['Plays the cello.'])
      expect(await world.turns()).toBe(1)
    })

    it('are one turn when the hand-off drops the calls of tools', async () => {
      const world = open()
      const dropCalls: NonNullable<Handoff['inputFilter']> = (data) => ({ ...data, preHandoffItems: [], newItems: [] })
      world.next(called('transfer_to_Expert'), said('A coat.'))
      await run(handOff(world, dropCalls), 'What do I need in Oslo?')
      expect(world.asked).toHaveLength(2)
      expect(textsOf(world.asked[1] as never)).toEqual(['What do I need in Oslo?'])
      expect(await world.turns()).toBe(1)
    })
  })

  it('a sub-agent is neither a turn nor the user’s words', async () => {
    const world = open()
    world.propose([
      {
        target: 'user',
        op: { action: 'add', content: 'Lives on Mars.' },
        rationale: 'said',
        score: 0.9,
        evidence: [{ quote: 'I live on Mars.' }],
      },
    ])
    const helper = new Agent({ name: 'Helper', instructions: 'You help.', model: wrapped(world) })
    const asTool = helper.asTool({ toolName: 'ask_helper', toolDescription: 'Asks the helper.' })
    const agent = new Agent({ name: 'Host', instructions: 'You host.', model: wrapped(world), tools: [asTool] })
    world.next(called('ask_helper', { input: 'I live on Mars. What do I need?' }), said('A warm coat.'), said('You need a warm coat.'))
    const { finalOutput } = await run(agent, 'Look into it please')
    expect(finalOutput).toBe('You need a warm coat.')
    expect(await world.turns()).toBe(1)
    expect(await world.stored('user')).toEqual([])
  })

  it('a session of the SDK holds nothing of the memory, and its resumed history is no new turn', async () => {
    const world = open()
    await world.hermes
      .session('before')
      .offerTools()[0]
      ?.execute({ target: 'user', action: 'add', content: 'Prefers tabs.' }, { messages: [{ role: 'user', text: 'Prefers tabs.' }] })
    const session = new MemorySession()
    const agent = () => new Agent({ name: 'Host', instructions: 'You host.', model: wrapped(world) })
    for (const text of ['One', 'Two', 'Three']) await run(agent(), text, { session })
    expect(await world.turns()).toBe(3)
    expect(world.asked.every(({ systemInstructions }) => systemInstructions?.includes('Prefers tabs.'))).toBe(true)
    expect(JSON.stringify(await session.getItems())).not.toContain('Prefers tabs.')
    // Another process: a new session object over the same items, and one more message.
    const resumed = new MemorySession({ initialItems: await session.getItems() })
    await run(new Agent({ name: 'Host', model: wrapped(world, 'resumed') }), 'Four', { session: resumed })
    expect(await world.turns()).toBe(4)
  })

  it('a filter of the model’s input that drops history changes no count', async () => {
    const world = open()
    const session = new MemorySession()
    const agent = new Agent({ name: 'Host', model: wrapped(world) })
    const callModelInputFilter = ({ modelData }: { modelData: { input: AgentInputItem[]; instructions?: string } }) => ({
      ...modelData,
      input: modelData.input.slice(-2),
    })
    for (const text of ['go on', 'go on', 'stop', 'go on']) await run(agent, text, { session, callModelInputFilter } as never)
    expect(world.asked.map((request) => request.input.length)).toEqual([1, 2, 2, 2])
    expect(await world.turns()).toBe(4)
  })

  it('a guardrail that stops a run before the model leaves nothing', async () => {
    const world = open()
    const blocks = { name: 'blocks', runInParallel: false, execute: async () => ({ tripwireTriggered: true, outputInfo: {} }) }
    const agent = new Agent({ name: 'Host', model: wrapped(world), inputGuardrails: [blocks as never] })
    await expect(run(agent, 'Hello')).rejects.toBeInstanceOf(sdk.InputGuardrailTripwireTriggered)
    await expect(run(agent, 'Hello')).rejects.toBeInstanceOf(sdk.InputGuardrailTripwireTriggered)
    expect([world.asked.length, await world.turns()]).toEqual([0, 0])
  })

  it('a guardrail that stops the answer reaches the caller, and the next turn counts as usual', async () => {
    const world = open()
    let trips = true
    const blocks = { name: 'blocks', execute: async () => ({ tripwireTriggered: trips, outputInfo: {} }) }
    const agent = new Agent({ name: 'Host', model: wrapped(world), outputGuardrails: [blocks] })
    await expect(run(agent, 'Hello')).rejects.toBeInstanceOf(sdk.OutputGuardrailTripwireTriggered)
    trips = false
    await run(agent, 'What time is it?')
    expect(await world.turns()).toBe(2)
  })

  it('an approval that a person gives later goes on with the turn', async () => {
    const world = open()
    const send = tool({
      name: 'send',
      description: 'Sends.',
      strict: false,
      parameters: EMPTY as never,
      needsApproval: true,
      execute: async () => 'Sent.',
    })
    const agent = new Agent({ name: 'Host', model: wrapped(world), tools: [send] })
    world.next(called('send'), said('It is sent.'))
    const stopped = await run(agent, 'Send it')
    expect(await world.turns()).toBe(0)
    const state = await sdk.RunState.fromString(agent, stopped.state.toString())
    for (const interruption of state.getInterruptions()) state.approve(interruption)
    const { finalOutput } = await run(agent, state)
    expect(finalOutput).toBe('It is sent.')
    expect(await world.turns()).toBe(1)
  })

  it.each([
    ['the call of a sub-agent', { outer: true }],
    ['a tool of a sub-agent', { outer: false }],
  ])('an approval in another process, of %s, raises nothing that the model asked', async (_what, { outer }) => {
    const storage = inMemoryBackend()
    const proposal = { target: 'user', op: { action: 'add', content: 'Lives on Mars.' }, rationale: 'said', score: 1 }
    const start = () => {
      // A copy is another storage to the process, so that only what is stored is known.
      const world = openWorld(sdk, { trust: 'strict' }, { ...storage })
      world.propose([{ ...proposal, evidence: [{ quote: 'I live on Mars.' }] }])
      const send = tool({
        name: 'send',
        description: 'Sends.',
        strict: false,
        parameters: EMPTY as never,
        needsApproval: !outer,
        execute: async () => 'Sent.',
      })
      const helper = new Agent({ name: 'Helper', model: wrapped(world), tools: [send] })
      const ask = helper.asTool({ toolName: 'ask_helper', toolDescription: 'Asks.', needsApproval: outer } as never)
      return { world, agent: new Agent({ name: 'Host', model: wrapped(world), tools: [ask] }) }
    }
    const before = start()
    before.world.next(called('ask_helper', { input: 'I live on Mars.' }), called('send'))
    const stopped = await run(before.agent, 'Look into it')
    await before.world.hermes.settled()
    const after = start()
    const state = await sdk.RunState.fromString(after.agent, stopped.state.toString())
    for (const interruption of state.getInterruptions()) state.approve(interruption)
    after.world.next(...(outer ? [called('send'), said('It is sent.')] : [said('It is sent.')]), said('It is done.'))
    const { finalOutput } = await run(after.agent, state)
    // The oldest release ends the run with the answer of the sub-agent.
    expect(finalOutput).toMatch(/It is (?:done|sent)/)
    expect(await after.world.stored('user')).toEqual([])
    if (finalOutput === 'It is done.')
      expect([await after.world.turns(), reviewed(after.world)]).toEqual([1, expect.stringContaining('Look into it')])
  })

  it('a run that ends with the result of a tool does not keep the next ones from being counted', async () => {
    const world = open()
    const page = tool({ name: 'page', description: 'Reads.', strict: false, parameters: EMPTY as never, execute: async () => 'A page.' })
    const agent = new Agent({ name: 'Host', model: wrapped(world), tools: [page], toolUseBehavior: 'stop_on_first_tool' })
    const session = new MemorySession()
    world.next(called('page'))
    for (const text of ['Read it', 'And?', 'And now?']) await run(agent, text, { session })
    expect(await world.turns()).toBe(2)
  })

  it('an abort is no turn', async () => {
    const world = open()
    const controller = new AbortController()
    world.next(() => {
      controller.abort()
      return said('Too late.')
    })
    const agent = new Agent({ name: 'Host', model: wrapped(world) })
    await run(agent, 'Hello', { signal: controller.signal }).catch(() => undefined)
    expect(await world.turns()).toBe(0)
  })

  it('a model that is wrapped twice counts each turn once', async () => {
    const world = open()
    const session = new MemorySession()
    const agent = new Agent({ name: 'Host', model: withHermes(wrapped(world), world.hermes.session('chat')) })
    for (const text of ['go on', 'go on', 'stop']) await run(agent, text, { session })
    expect(await world.turns()).toBe(3)
  })

  it('a side run is neither counted nor given the memory', async () => {
    const world = open()
    const agent = new Agent({
      name: 'Host',
      instructions: 'Titles.',
      model: withHermes(world.model, world.hermes, { onWarning: world.onWarning }),
    })
    await runWithHermes({ skip: true }, () => run(agent, 'Give this a title'))
    expect(world.asked[0]?.systemInstructions).toBe('Titles.')
    expect([await world.turns(), world.warnings]).toEqual([0, []])
  })

  it('tools of a session write in the turn, and their answer is the model’s next input', async () => {
    const world = open()
    const session = world.hermes.session('chat')
    const tools = hermesTools(session)
    const agent = new Agent({ name: 'Host', model: withHermes(world.model, session), tools })
    world.next(called('memory', { target: 'memory', action: 'add', content: 'The office is in a lighthouse.' }))
    await run(agent, [user('Please remember that the office is in a lighthouse.')])
    expect(await world.stored('memory')).toEqual(['The office is in a lighthouse.'])
    expect(JSON.parse(textsOf(world.asked[1] as never).at(-1) ?? '')).toMatchObject({ success: true })
    const broken = await tools[0]?.invoke({} as never, '{"target": ', {} as never)
    expect(JSON.parse(String(broken))).toMatchObject({ success: false, error: expect.stringContaining('object') })
    const listed = await tools.find(({ name }) => name === 'skills_list')?.invoke({} as never, '', {} as never)
    expect(JSON.parse(String(listed))).toMatchObject({ success: true })
  })
})
