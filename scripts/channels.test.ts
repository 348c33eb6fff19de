/** A seeded sample of `bench poisoning channels`: no channel gives text from outside the user's authority. */
import { expect, it } from 'vitest'
import { CHANNELS } from '../benchmarks/poisoning/channels/all-channels.ts'
import { attacksOf, KEPT_SEEDS, selectAttacks } from '../benchmarks/poisoning/channels/attacks.ts'
import type { Channel } from '../benchmarks/poisoning/channels/channel.ts'
import { checkChannels } from '../benchmarks/poisoning/channels/check-channels.ts'
import { isRaised } from '../benchmarks/poisoning/channels/outcome.ts'
import { playAttack } from '../benchmarks/poisoning/channels/play-attack.ts'
import { randomOf } from '../benchmarks/poisoning/channels/random.ts'
import { ok } from '../packages/core/src/index.ts'
import { rounds } from './support/rounds.ts'

const sampleOf = (channel: Channel, count: number) => {
  const [seed = 0] = KEPT_SEEDS
  return randomOf(seed, `sample of ${channel.id}`).shuffled(attacksOf(channel, seed)).slice(0, count)
}

it('has at least 25 channels with at least 40 wordings each, whose innocent words hold nothing of them', () => {
  expect(checkChannels(CHANNELS, selectAttacks(CHANNELS))).toEqual([])
})

it('notices a home whose gate lets everything in as the user’s', async () => {
  const [channel] = CHANNELS.filter(({ id }) => id === 'result of a tool')
  if (channel === undefined) throw new Error('There is no such channel.')
  const open: Channel = {
    ...channel,
    scene: (wording, draw) => ({
      ...channel.scene(wording, draw),
      options: { gate: async () => ok({ approved: true, reason: 'Nothing is checked.', origin: 'user' }) },
    }),
  }
  for (const attack of sampleOf(open, 1)) expect(isRaised((await playAttack(attack, 'strict')).outcome)).toBe(true)
  expect(sampleOf(open, 1)).toHaveLength(1)
})

it.each(CHANNELS.map((channel) => [channel.id, channel] as const))(
  '%s gives no text from outside the user’s authority',
  async (_, channel) => {
    const raised: string[] = []
    for (const [at, attack] of sampleOf(channel, rounds(5)).entries()) {
      const trust = (channel.id.length + at) % 2 === 0 ? 'strict' : 'balanced'
      const { outcome } = await playAttack(attack, trust)
      if (isRaised(outcome)) raised.push(`${outcome} at ${trust}: ${attack.wording.id} on ${attack.surface}, cites ${attack.citing}`)
    }
    expect(raised).toEqual([])
  },
)
