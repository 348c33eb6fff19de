/** The frozen snapshot is in the first system prompt and keeps the same bytes to the end of the session, in any process. */

import { expect, it } from 'vitest'
import type { AdapterCapabilities, CreateAdapterHost } from './adapter-host.ts'
import { createWorld, INSTRUCTIONS } from './world.ts'

const occurrences = (text: string, part: string): number => text.split(part).length - 1

export const snapshotCases = (createHost: CreateAdapterHost, { extent }: Required<AdapterCapabilities>): void => {
  it('carries the snapshot in the very first system prompt, once, after the host’s own words', async () => {
    const world = await createWorld(createHost)
    await world.remember('before', 'The repo builds with pnpm 12.')
    await world.turn('chat', 'Hello')
    const block = await world.hermes().session('chat').systemBlock()
    const system = world.turnCalls[0]?.system ?? ''
    expect(block).toContain('The repo builds with pnpm 12.')
    expect(occurrences(system, block)).toBe(1)
    expect(system.indexOf(INSTRUCTIONS)).toBe(0)
    expect(world.turnCalls[0]?.messages).toEqual([{ role: 'user', text: 'Hello' }])
  })

  it('shows the next session what was written during this one', async () => {
    const world = await createWorld(createHost)
    await world.turn('first', 'Hello')
    await world.remember('first', 'Deploys happen on Tuesdays.')
    await world.turn('first', 'And now?')
    await world.turn('second', 'Hello')
    const systems = world.turnCalls.map((call) => call.system.includes('Deploys happen on Tuesdays.'))
    expect(systems).toEqual([false, false, true])
  })

  if (extent === 'wiring') return

  it('leaves the prompt as it is when nothing is remembered', async () => {
    const world = await createWorld(createHost)
    await world.turn('chat', 'Hello')
    expect(world.turnCalls[0]?.system).toBe(INSTRUCTIONS)
  })

  it('does not move one byte of the system prompt over 50 turns with writes in between', async () => {
    const world = await createWorld(createHost)
    await world.remember('before', 'The repo builds with pnpm 12.')
    for (let turn = 1; turn <= 50; turn++) {
      await world.turn('chat', `Question ${turn}`)
      await world.remember(turn % 2 === 0 ? 'chat' : 'other', `Fact ${turn}.`)
    }
    expect(world.turnCalls).toHaveLength(50)
    expect(new Set(world.turnCalls.map((call) => call.system)).size).toBe(1)
    expect(await world.stored('memory')).toContain('Fact 50.')
  })

  it('keeps the bytes of a session that continues in another process', async () => {
    const world = await createWorld(createHost)
    await world.remember('before', 'The repo builds with pnpm 12.')
    await world.turn('chat', 'Hello')
    await world.remember('other', 'Deploys happen on Tuesdays.')
    await world.restart()
    await world.turn('chat', 'Hello again')
    expect(world.turnCalls[1]?.system).toBe(world.turnCalls[0]?.system)
    expect(world.turnCalls[1]?.messages.map((message) => message.text)).toEqual(['Hello', 'Fine.', 'Hello again'])
  })

  it('does not mix two sessions that run at once', async () => {
    const world = await createWorld(createHost, { nudge: { memoryInterval: 3 } })
    await world.turn('alpha', 'alpha 1')
    await world.remember('other', 'Only known to beta.')
    await world.turn('beta', 'beta 1')
    for (const turn of [2, 3]) await Promise.all([world.send('alpha', `alpha ${turn}`), world.send('beta', `beta ${turn}`)])
    await world.settled()
    for (const call of world.turnCalls) {
      const isBeta = call.messages.some((message) => message.text.startsWith('beta'))
      expect(call.system.includes('Only known to beta.')).toBe(isBeta)
      expect(call.messages.some((message) => message.text.startsWith(isBeta ? 'alpha' : 'beta'))).toBe(false)
    }
    const read = world.reviewCalls.flatMap(({ messages }) => messages.map(({ text }) => text)).join('\n')
    for (const said of ['alpha 1', 'alpha 2', 'alpha 3', 'beta 1', 'beta 2', 'beta 3'])
      expect(read.split(said).length).toBeLessThanOrEqual(2)
    expect(world.reviewCalls.length).toBeGreaterThanOrEqual(1)
  })
}
