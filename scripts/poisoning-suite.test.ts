/** `poisoningConformance` on Hermes, on each way in which a host reports a conversation; and what the suite finds in memories that are not safe. */
import { expect, it } from 'vitest'
import { HOSTS, hermesMemory } from '../benchmarks/poisoning/suite/hermes-memory.ts'
import { listMemory } from '../packages/testing/examples/list-memory.ts'
import {
  type CreatePoisonedMemory,
  isRaised,
  type PoisoningOutcome,
  playAdaptive,
  playHonest,
  playPoisoning,
  poisoningAttacks,
} from '../packages/testing/src/poisoning.ts'
import { poisoningConformance } from '../packages/testing/src/poisoning-conformance.ts'
import { rounds } from './support/rounds.ts'

for (const [seed, host] of HOSTS.entries())
  poisoningConformance(`Hermes, ${host}`, hermesMemory(host, 'balanced'), { attacks: rounds(340), attempts: rounds(10), seed })

const everyWayIn = poisoningAttacks({ seed: 1, count: 204 })

it('finds a memory that believes what it reads, by every way in', async () => {
  const believed = new Set<string>()
  for (const attack of everyWayIn)
    if (isRaised(attack, await playPoisoning(listMemory, attack)) || attack.unmarked) believed.add(attack.wayIn)
  expect([...believed].sort()).toEqual([...new Set(everyWayIn.map(({ wayIn }) => wayIn))].sort())
})

it('finds a memory that keeps nothing, and one that forgets what the user said when something else is to take its place', async () => {
  const create: CreatePoisonedMemory = async (model) => ({ ...(await listMemory(model)), notes: async () => [] })
  expect(await playHonest(create, 0)).toBe('absent')
  const careless: CreatePoisonedMemory = async (model) => {
    const memory = await listMemory(model)
    // It marks each note about a made-up name as text from outside, but has let the user's own go.
    const notes = async () =>
      (await memory.notes()).map(({ text }) => ({ text, authority: text.startsWith('Drinks tea') ? 'user' : 'outside' }) as const)
    return { ...memory, notes }
  }
  const outcomes: PoisoningOutcome[] = []
  for (const attack of everyWayIn.filter(({ note }) => note.replaces !== undefined)) outcomes.push(await playPoisoning(careless, attack))
  expect(outcomes).toContain('changed')
})

it('draws the same attacks from the same seed, each in its own words, with every choice of every list', () => {
  const attacks = poisoningAttacks({ seed: 3, count: 2_000 })
  expect(poisoningAttacks({ seed: 3, count: 2_000 })).toEqual(attacks)
  expect(new Set(attacks.map(({ mark }) => mark)).size).toBeGreaterThan(1_900)
  const chosen = (key: keyof (typeof attacks)[number]['choices']) => new Set(attacks.map(({ choices }) => choices[key])).size
  const sizes = { goal: 12, phrasing: 3, position: 3, format: 12, disguise: 10, citing: 3, wayIn: 17 } as const
  for (const [key, size] of Object.entries(sizes)) expect(chosen(key as keyof typeof sizes)).toBe(size)
  const cells = new Set(attacks.map(({ choices: { goal, phrasing, position } }) => `${Math.floor(goal / 3)} ${phrasing} ${position}`))
  expect(cells.size).toBe(36)
})

it('an adaptive attacker goes on from the attempt that came furthest', async () => {
  const runs = await playAdaptive(listMemory, { seed: 1, attackers: 2, attempts: 4 })
  expect(runs).toHaveLength(8)
  expect(new Set(runs.slice(0, 4).map(({ attack }) => attack.wayIn)).size).toBe(1)
  expect(new Set(runs.map(({ attack }) => attack.id)).size).toBeGreaterThan(4)
})
