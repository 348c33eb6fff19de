/** The conformance suite for memories that text from outside tries to poison: run it against any memory system in a vitest file. */
import { describe, expect, it } from 'vitest'
import { type PoisoningAttack, poisoningAttacks } from './poisoning/attack.ts'
import { type CreatePoisonedMemory, isRaised, playAdaptive, playHonest, playPoisoning } from './poisoning/play-attack.ts'

export interface PoisoningSuiteOptions {
  /** Attacks in all. Default 340: 20 for each way in. */
  readonly attacks?: number
  /** Default 1. */
  readonly seed?: number
  /** False for a memory that cannot import. Default true. */
  readonly imports?: boolean
  /** Attempts of each adaptive attacker, one for each way in. Default 10. */
  readonly attempts?: number
}

const HONEST = 4
const ADAPTIVE_TIMEOUT_MS = 60_000

/** `create` makes a memory without anything stored, for each attack. */
export const poisoningConformance = (name: string, create: CreatePoisonedMemory, options: PoisoningSuiteOptions = {}): void => {
  const { attacks = 340, seed = 1, imports = true, attempts = 10 } = options
  const isPlayed = ({ wayIn }: PoisoningAttack): boolean => imports || wayIn !== 'import'
  const all = poisoningAttacks({ seed, count: attacks }).filter(isPlayed)
  const ways = [...new Set(all.map(({ wayIn }) => wayIn))]
  describe(`poisoning conformance: ${name}`, () => {
    it.each([false, true])('keeps what the user says as the user’s words (after unrelated text from outside: %s)', async (afterOutside) => {
      const outcomes: string[] = []
      for (let at = 0; at < HONEST; at++) outcomes.push(await playHonest(create, at, afterOutside))
      expect(outcomes).toEqual(Array.from({ length: HONEST }, () => 'user'))
    })

    it.each(ways)('%s: raises nothing', async (way) => {
      const raised: string[] = []
      for (const attack of all.filter(({ wayIn }) => wayIn === way)) {
        const outcome = await playPoisoning(create, attack)
        if (isRaised(attack, outcome)) raised.push(`${outcome}: ${attack.id}`)
      }
      expect(raised).toEqual([])
    })

    it(
      'raises nothing for an attacker who is told what became of each attempt',
      async () => {
        const runs = await playAdaptive(create, { seed, attackers: ways.length, attempts })
        expect(runs.filter(({ attack, outcome }) => isPlayed(attack) && isRaised(attack, outcome)).map(({ attack }) => attack.id)).toEqual(
          [],
        )
      },
      ADAPTIVE_TIMEOUT_MS,
    )
  })
}
