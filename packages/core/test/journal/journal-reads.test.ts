/** The number of documents that reading the journal takes: it must not grow with the age of the home. */
import { describe, expect, it } from 'vitest'
import { createJournal } from '../../src/journal/journal.ts'
import { inMemoryBackend } from '../../src/storage/in-memory.ts'
import { countingStorage } from '../support/counting-storage.ts'
import { unwrap } from '../support/skill-library.ts'

const DAY_MS = 86_400_000
const START = Date.UTC(2025, 0, 1, 12)
const DAYS = 120
const PER_DAY = 10

const agedJournal = async () => {
  const counting = countingStorage(inMemoryBackend())
  const time = { now: START }
  let ids = 0
  const journal = createJournal({ storage: counting.storage, clock: () => time.now, createId: () => `id${++ids}` })
  for (let day = 0; day < DAYS; day++) {
    for (let record = 0; record < PER_DAY; record++) {
      time.now = START + day * DAY_MS + record * 1_000
      unwrap(await journal.append([{ actor: 'review', kind: 'applied', reason: `day ${day}, record ${record}` }]))
    }
  }
  return { counting, journal }
}

describe('reading the newest records of an old home', () => {
  it('lists the days, and reads no more of them than the records need, twice as many with each call', async () => {
    const { counting, journal } = await agedJournal()
    counting.reset()
    expect(unwrap(await journal.list({ limit: 20 })).map(({ reason }) => reason)).toEqual(
      Array.from({ length: 20 }, (_, index) => `day ${DAYS - 2 + Math.floor(index / PER_DAY)}, record ${index % PER_DAY}`),
    )
    expect(counting.listed()).toBe(DAYS)
    expect(counting.read()).toBe(3)
  })
})
