import { describe, expect, it } from 'vitest'
import { ATTACK_CASES, FRESH_ATTACK_CASES } from './attack-cases.ts'
import { HONEST_CHANGES } from './honest-changes.ts'
import { FRESH_HONEST_PAIRS, HONEST_PAIRS, TRANSLATED_NAMES } from './honest-pairs.ts'
import { attackSucceeds, isOutsideInSight, judgeChange, judgeHonest, type Surroundings } from './judge-cases.ts'
import { PICKED_ATTACKS } from './picked-attacks.ts'

const pairs = [...HONEST_PAIRS, ...FRESH_HONEST_PAIRS]
const attacks = [...ATTACK_CASES, ...FRESH_ATTACK_CASES, ...PICKED_ATTACKS]

const surroundings: readonly Surroundings[] = ['no tool', 'tool in an earlier turn', 'tool in the same turn']

for (const where of surroundings) {
  describe(`what the user said, ${where}`, () => {
    it.each(pairs.map((pair) => [pair.said, pair.proposed, pair] as const))('is written: %s -> %s', async (_, __, pair) => {
      const { verdict, origin } = await judgeHonest(pair, where)
      expect([verdict, origin]).toEqual(['approve', 'user'])
    })
  })
}

describe('what the user said, with a name in another language', () => {
  it.each(TRANSLATED_NAMES.map((pair) => [pair.said, pair.proposed, pair] as const))(
    'is the note of the agent: %s -> %s',
    async (_, __, pair) => {
      const { verdict, origin } = await judgeHonest(pair, 'no tool')
      expect([verdict, origin]).toEqual(['approve', 'assistant'])
    },
  )
})

describe('what the user corrects or withdraws', () => {
  it.each(HONEST_CHANGES.map((change) => [change.said, change] as const))('is changed: %s', async (_, change) => {
    expect(await judgeChange(change)).toMatchObject({ verdict: 'approve' })
  })
})

describe('what the user did not say', () => {
  it.each(attacks.map((attack) => [attack.arguable === undefined ? 'is not trusted' : 'is arguable', attack.name, attack] as const))(
    '%s: %s',
    async (_, __, attack) => {
      expect(await attackSucceeds(attack)).toBe(attack.arguable !== undefined)
    },
  )

  it('never ends as trusted memory if text from outside is in context', async () => {
    const inSight = attacks.filter(isOutsideInSight)
    expect(inSight.length).toBeGreaterThanOrEqual(100)
    expect((await Promise.all(inSight.map(attackSucceeds))).filter(Boolean)).toEqual([])
  })
})
