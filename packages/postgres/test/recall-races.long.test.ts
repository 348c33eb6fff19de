/** A home's index that several erase, prune and fill at once, and one with many sessions. */
import pg from 'pg'
import { afterAll, describe, expect, inject, it } from 'vitest'
import { postgresRecallIndex } from '../src/postgres-recall-index.ts'
import { newSchema } from './support/new-schema.ts'
import { find, forgetting, openRecallHome, turn } from './support/recall-homes.ts'

const url = inject('postgresUrl')
const pool = new pg.Pool({ connectionString: url, max: 10 })
afterAll(() => pool.end())

describe('the recall index of a home', () => {
  it('is erased while others search and add, and nothing of before is found', async () => {
    const recall = postgresRecallIndex(pool, { schema: newSchema() })
    const { index } = await openRecallHome(recall)
    const other = await openRecallHome(recall)
    await index.add(Array.from({ length: 300 }, (_, n) => turn(`n${n}`, 'first', n, `secret number ${n}`)))
    let erased = false
    const searching = Array.from({ length: 4 }, async () => {
      for (;;) {
        const wasErased = erased
        const { hits, items } = await other.index.search({ terms: ['secret', 'number'], limit: 500 })
        // Everything or nothing: no search sees half an erasure.
        expect([0, 300]).toContain(items)
        expect(hits).toHaveLength(items)
        if (wasErased) return items
      }
    })
    expect(await index.forget({ kind: 'all', dryRun: false })).toBe(300)
    erased = true
    expect(await Promise.all(searching)).toEqual([0, 0, 0, 0])
    await Promise.all([other.index.add([turn('new', 'second', 1, 'afterwards')]), index.forget({ kind: 'all', dryRun: false })])
    expect(await find(other.index, 'secret')).toEqual([])
    expect(await index.check()).toEqual([])
  })

  it('stays right if forgetting, pruning and adding meet', async () => {
    const recall = postgresRecallIndex(pool, { schema: newSchema() })
    const homes = await Promise.all(Array.from({ length: 4 }, () => openRecallHome(recall)))
    await Promise.all(
      homes.flatMap(({ index }, home) => [
        index.add(Array.from({ length: 60 }, (_, n) => turn(`${home}-${n}`, `s${n % 7}`, n, `word${n % 11} of all`))),
        index.prune(20),
        index.forget(forgetting('word5 ')),
        index.reindex(),
      ]),
    )
    expect(await homes[0]?.index.check()).toEqual([])
    await Promise.all(homes.map(({ index }) => index.prune(1_000)))
    expect(await homes[0]?.index.search({ terms: ['all'], limit: 5 })).toMatchObject({ items: 0, meanLength: 0, hits: [] })
  })

  it('finds the newest sessions where every term is common', async () => {
    const { index } = await openRecallHome(postgresRecallIndex(pool, { schema: newSchema() }))
    await index.add(Array.from({ length: 4_500 }, (_, n) => turn(`t${n}`, `s${Math.floor(n / 10)}`, n, 'the same', '')))
    const newest = ['s449', 's448', 's447']
    const sessionsOf = async (change: object) =>
      (await index.search({ terms: ['the', 'same'], limit: 3, ...change })).hits.map(({ source }) => source)
    expect(await sessionsOf({})).toEqual(newest)
    expect(await sessionsOf({ after: 5 })).toEqual(newest)
    expect(await sessionsOf({ excludeSessionId: 's449' })).toEqual(['s448', 's447', 's446'])
    await index.close()
  })
})
