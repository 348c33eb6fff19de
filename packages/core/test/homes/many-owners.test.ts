/** More owners than are processed without a pause. */
import { describe, expect, it } from 'vitest'
import { rounds } from '../../../../scripts/support/rounds.ts'
import { listOwners } from '../../src/homes/owners.ts'
import { takeOwners } from '../../src/run-upkeep.ts'
import { ok } from '../../src/shared/result.ts'
import { inMemoryBackend } from '../../src/storage/in-memory.ts'

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

  it('each have their turn once in a round', async () => {
    const owners = names.map((user) => ({ user }))
    const storage = inMemoryBackend()
    const seen: string[] = []
    for (let isEnd = false; !isEnd; ) {
      const taken = await takeOwners(storage, owners, 9_999)
      if (!taken.ok) throw new Error('not taken')
      for (const { user } of taken.value.owners) seen.push(user)
      isEnd = taken.value.isEnd
    }
    expect(seen).toHaveLength(OWNERS)
    expect(new Set(seen).size).toBe(OWNERS)
  })

  it('are taken on from where a call has left off, also if there are fewer now', async () => {
    const storage = inMemoryBackend()
    const owners = names.slice(0, 10).map((user) => ({ user }))
    expect(await takeOwners(storage, owners, 8)).toMatchObject({ value: { owners: owners.slice(0, 8), isEnd: false } })
    expect(await takeOwners(storage, owners.slice(0, 5), 4)).toMatchObject({ value: { owners: owners.slice(0, 4), isEnd: false } })
    expect(await takeOwners(storage, owners.slice(0, 5), 4)).toMatchObject({ value: { owners: owners.slice(4, 5), isEnd: true } })
    expect(await takeOwners(storage, [], 4)).toMatchObject({ value: { owners: [], isEnd: true } })
  })
})
