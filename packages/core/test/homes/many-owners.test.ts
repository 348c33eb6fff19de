/** More owners than are processed without a pause. */
import { describe, expect, it } from 'vitest'
import { rounds } from '../../../../scripts/support/rounds.ts'
import { listOwners } from '../../src/homes/owners.ts'
import { upkeepRound } from '../../src/homes/upkeep-round.ts'
import { inMemoryBackend, ok } from '../../src/index.ts'

/** How often the event loop turned meanwhile. */
const turnsDuring = async (work: () => Promise<unknown>): Promise<number> => {
  let turns = 0
  let isWorking = true
  const count = () => {
    turns += 1
    if (isWorking) setImmediate(count)
  }
  setImmediate(count)
  await work()
  isWorking = false
  return turns
}

const OWNERS = rounds(100_000)

describe(`${OWNERS} owners`, () => {
  const names = Array.from({ length: OWNERS }, (_, index) => `user-${index}`)

  it('are listed in pieces', async () => {
    const listed = ok(names.map((name) => ({ path: `owners/~none/${name}.json`, size: 1, stamp: '' })))
    const storage = { ...inMemoryBackend(), list: async () => listed }
    let found: Awaited<ReturnType<typeof listOwners>> | undefined
    expect(await turnsDuring(async () => (found = await listOwners(storage)))).toBeGreaterThan(rounds(50))
    expect(found?.ok && found.value.owners.length).toBe(OWNERS)
  })

  it('are put in order in pieces, and each has its turn once in a round', async () => {
    const owners = names.map((user) => ({ user }))
    const storage = inMemoryBackend()
    let round: Awaited<ReturnType<typeof upkeepRound>> | undefined
    expect(await turnsDuring(async () => (round = await upkeepRound(storage, owners)))).toBeGreaterThan(rounds(50))
    const seen: string[] = []
    for (let isEnd = false; !isEnd; ) {
      const taken = await round?.take(9_999)
      if (!taken?.ok) throw new Error('not taken')
      for (const { user } of taken.value.owners) seen.push(user)
      isEnd = taken.value.isEnd
    }
    expect(seen).toHaveLength(OWNERS)
    expect(new Set(seen).size).toBe(OWNERS)
  })
})
