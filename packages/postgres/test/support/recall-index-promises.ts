import { afterEach, describe, expect, it } from 'vitest'
import type { PostgresClient } from '../../src/drivers/detect-driver.ts'
import { postgresRecallIndex } from '../../src/postgres-recall-index.ts'
import { emptyTables, newSchema } from './new-schema.ts'
import { archived, find, forgetting, openRecallHome, turn } from './recall-homes.ts'

const BEES = turn('1', 'first', 1_000, 'The bees in our garden swarm in May', 'Leave the hive alone then.')
const PIANO = turn('2', 'second', 2_000, 'My piano teacher is called Ingrid')
const DENTIST = turn('3', 'second', 3_000, 'The dentist moved to Tuesday, in May')

/** The promises of the index over past sessions, on one client. `run`: sends a statement to its database. */
export const recallIndexPromises = (name: string, clientOf: () => PostgresClient, run: (statement: string) => Promise<unknown>): void => {
  describe(`a recall index with ${name}`, () => {
    const schema = newSchema()
    afterEach(() => emptyTables(run, schema, 'recall'))

    const setUp = async (folder?: string) => {
      const recall = postgresRecallIndex(clientOf(), { schema })
      return { recall, ...(await openRecallHome(recall, folder)) }
    }

    it('finds turns by their terms, the rarest first, and tells how often each term occurs', async () => {
      const { index } = await setUp()
      expect(await index.search({ terms: ['bees'], limit: 5 })).toEqual({
        hits: [],
        items: 0,
        frequencies: new Map([['bees', 0]]),
        meanLength: 0,
      })
      expect(await index.add([BEES, PIANO, DENTIST])).toBe(3)
      const answer = await index.search({ terms: ['may', 'bees', 'zebra'], limit: 5 })
      expect(answer.hits.map(({ id }) => id)).toEqual(['1', '3'])
      expect(answer.hits[0]).toEqual({ ...BEES, score: expect.any(Number) })
      expect(answer.items).toBe(3)
      expect(Object.fromEntries(answer.frequencies)).toEqual({ may: 2, bees: 1, zebra: 0 })
      expect(answer.meanLength).toBeCloseTo((13 + 7 + 8) / 3)
      expect(await find(index, 'the bees in may', { limit: 1 })).toEqual(['1'])
      await index.close()
      await expect(index.search({ terms: ['bees'], limit: 5 })).rejects.toMatchObject({ code: 'closed' })
    })

    it('adds a known id never again, in no home but its own', async () => {
      const { recall, index } = await setUp()
      await index.add([BEES])
      expect(await index.add([{ ...BEES, user: 'changed' }, PIANO])).toBe(1)
      const others = await Promise.all(['homes/ad', 'homes/ada/b', 'homes/a_a', ''].map((folder) => openRecallHome(recall, folder)))
      for (const other of others) {
        expect(await find(other.index, 'bees piano')).toEqual([])
        expect(await other.index.add([DENTIST])).toBe(1)
        expect(await find(other.index, 'bees piano dentist')).toEqual(['3'])
      }
      expect(await find(index, 'changed dentist')).toEqual([])
      expect(await index.stats()).toMatchObject({ turns: 2, sessions: 2, archived: 0, vectors: 0, oldestAt: 1_000, newestAt: 2_000 })
      expect((await index.stats()).location).toMatch(/hermes_recall_items/)
    })

    it('narrows by session and time', async () => {
      const { index } = await setUp()
      await index.add([BEES, PIANO, DENTIST, archived('entry', 'e', 'user', 'May is a month')])
      expect(await find(index, 'may')).toHaveLength(3)
      expect(await find(index, 'may', { sessionId: 'second' })).toEqual(['3'])
      expect(await find(index, 'may', { excludeSessionId: 'second' })).toEqual(expect.arrayContaining(['1', 'e']))
      expect(await find(index, 'may piano', { after: 2_000, before: 3_000 })).toEqual(['2'])
      expect(await find(index, 'may', { before: 1_000 })).toEqual(['e'])
    })

    it.each([
      ['web', ['own', 'web']],
      ['other', ['own']],
      ['', ['own']],
      [undefined, ['blog', 'own', 'web']],
    ])('finds from the project %j what was said there and without one, however it is asked', async (project, expected) => {
      const { index } = await setUp()
      const ofWeb = { ...turn('web', 'one', 2, 'The kiln is in the webshop'), project: 'web' }
      const ofBlog = { ...turn('blog', 'one', 3, 'The kiln is in the blog'), project: 'blog' }
      await index.add([turn('own', 'one', 1, 'The kiln is hot'), ofWeb, ofBlog])
      const scope = project === undefined ? {} : { project }
      const idsOf = (found: readonly { readonly id: string }[]) => found.map(({ id }) => id).sort()
      expect((await find(index, 'kiln', scope)).toSorted()).toEqual(expected)
      expect((await find(index, 'kiln', { ...scope, sessionId: 'one' })).toSorted()).toEqual(expected)
      expect(idsOf(await index.readSession({ sessionId: 'one', at: 0, before: 9, after: 9, ...scope }))).toEqual(expected)
      const vector = new Float32Array([1, 0])
      await index.vectors.set(
        'm',
        [ofWeb, ofBlog, { id: 'own', kind: 'turn' as const }].map(({ id, kind }) => ({ id, kind, vectors: [vector] })),
      )
      expect(idsOf(await index.vectors.nearest('m', vector, { limit: 9, ...scope }))).toEqual(expected)
      expect(idsOf(await index.vectors.nearest('m', vector, { limit: 9, ...scope, among: [ofBlog, ofWeb] }))).toEqual(
        expected.filter((id) => id !== 'own'),
      )
      const sessions = await index.recentSessions({ limit: 9, ...scope })
      expect(sessions.map((each) => each.project ?? 'own').sort()).toEqual(expected)
      for (const { project: of = 'hot', opening, turns } of sessions) {
        expect(opening).toContain(of)
        expect(turns).toBe(1)
      }
      expect((await index.search({ terms: ['webshop'], limit: 1 })).hits).toEqual([{ ...ofWeb, score: expect.any(Number) }])
      await index.close()
    })

    it('reads sessions', async () => {
      const { index } = await setUp()
      await index.add([BEES, PIANO, DENTIST, ...Array.from({ length: 9 }, (__, n) => turn(`n${n}`, 'long', 10_000 + n, `Number ${n}`))])
      const window = await index.readSession({ sessionId: 'long', at: 10_004, before: 2, after: 3 })
      expect(window.map(({ user }) => user)).toEqual(['Number 2', 'Number 3', 'Number 4', 'Number 5', 'Number 6'])
      const summary = { sessionId: 'second', firstAt: 2_000, lastAt: 3_000, turns: 2, automated: false, opening: PIANO.user }
      expect(await index.recentSessions({ limit: 2, excludeSessionId: 'long' })).toEqual([
        summary,
        expect.objectContaining({ sessionId: 'first' }),
      ])
      expect(await index.recentSessions({ limit: 5, before: 2_000 })).toHaveLength(1)
    })

    it('forgets a text, a session and everything, and counts without forgetting', async () => {
      const { recall, index } = await setUp()
      const other = await openRecallHome(recall, 'homes/bob')
      await other.index.add([BEES])
      const numbers = Array.from({ length: 150 }, (__, n) => turn(`n${n}`, 'many', n, `Number ${n}`))
      await index.add([BEES, PIANO, DENTIST, ...numbers, archived('skill', 's', 'hive care', 'Wear gloves')])
      expect(await index.forget(forgetting('hive', true))).toBe(2)
      expect(await index.forget(forgetting('hive'))).toBe(2)
      expect(await find(index, 'bees gloves hive')).toEqual([])
      expect(Object.fromEntries((await index.search({ terms: ['bees', 'may'], limit: 5 })).frequencies)).toEqual({ bees: 0, may: 1 })
      expect(await index.forget({ kind: 'session', sessionId: 'second', dryRun: false })).toBe(2)
      expect(await index.check()).toEqual([])
      expect(await index.forget({ kind: 'all', dryRun: true })).toBe(150)
      expect(await index.forget({ kind: 'all', dryRun: false })).toBe(150)
      expect(await index.forget({ kind: 'all', dryRun: false })).toBe(0)
      expect(await index.search({ terms: ['number'], limit: 5 })).toMatchObject({ hits: [], items: 0 })
      expect(await find(other.index, 'bees')).toEqual(['1'])
      expect(await index.add([PIANO])).toBe(1)
      expect(await find(index, 'piano number')).toEqual(['2'])
    })

    it('prunes old turns, and keeps what is archived in step', async () => {
      const { index } = await setUp()
      await index.add([BEES, PIANO, DENTIST])
      await index.replaceArchived([archived('entry', 'e', 'user', 'Drinks oolong'), archived('skill', 's', 'brewing', 'Heat the pot')])
      await index.replaceArchived([archived('skill', 's', 'brewing', 'Heat the pot'), archived('skill', 'e', 'baking', 'Rest the dough')])
      expect(await find(index, 'oolong pot dough baking')).toEqual(['e', 's'])
      expect(await index.prune(2_500)).toBe(2)
      expect(await find(index, 'bees piano dentist pot')).toEqual(expect.arrayContaining(['3', 's']))
      expect(await index.stats()).toMatchObject({ turns: 1, archived: 2 })
      expect(await index.check()).toEqual([])
    })

    it('finds what is near by vectors, which go with their items', async () => {
      const { index } = await setUp()
      await index.add([BEES, PIANO, DENTIST])
      expect((await index.vectors.missing('m', 2)).map(({ id }) => id)).toEqual(['3', '2'])
      const set = (id: string, ...numbers: number[]) => ({
        id,
        kind: 'turn' as const,
        vectors: numbers.length === 0 ? [] : [new Float32Array(numbers)],
      })
      await index.vectors.set('m', [set('1', 1, 0.5, -1), set('2', -1, 0.5, 1), set('3', 1, -0.5, -1), set('gone', 1, 1, 1)])
      expect((await index.stats()).vectors).toBe(3)
      const near = await index.vectors.nearest('m', new Float32Array([1, 0.4, -1]), { limit: 2 })
      expect(near.map(({ id, score }) => [id, Math.round(score * 10)])).toEqual([
        ['1', 10],
        ['3', 8],
      ])
      expect(await index.vectors.nearest('m', new Float32Array([1, 0.4, -1]), { limit: 2, sessionId: 'second' })).toMatchObject([
        { id: '3' },
        { id: '2' },
      ])
      const among = [PIANO, { id: '1', kind: 'entry' as const }, DENTIST, { id: 'gone', kind: 'turn' as const }]
      const few = (search = {}) => index.vectors.nearest('m', new Float32Array([1, 0.4, -1]), { limit: 3, among, ...search })
      expect((await few()).map(({ id }) => id)).toEqual(['3', '2'])
      expect((await few({ limit: 1 })).map(({ id }) => id)).toEqual(['3'])
      expect(await few({ sessionId: 'second', before: DENTIST.at })).toMatchObject([{ id: '2' }])
      expect(await few({ among: [] })).toEqual([])
      expect(await index.vectors.nearest('other', new Float32Array([1, 0.4, -1]), { limit: 2 })).toEqual([])
      expect(await index.vectors.nearest('m', new Float32Array([1, 0.4]), { limit: 2 })).toEqual([])
      await index.vectors.set('m', [{ ...set('2', -1, 0.5, 1), vectors: [new Float32Array([0, 0, 1]), new Float32Array([1, 0.4, -1])] }])
      expect((await index.vectors.nearest('m', new Float32Array([1, 0.4, -1]), { limit: 3 })).map(({ id }) => id)).toEqual(['2', '1', '3'])
      await index.vectors.set('m', [set('2')])
      expect((await index.vectors.nearest('m', new Float32Array([1, 0.4, -1]), { limit: 3 })).map(({ id }) => id)).toEqual(['1', '3'])
      expect(await index.vectors.missing('m', 9)).toEqual([])
      await index.vectors.set('m', [set('3', 1, 1)])
      expect((await index.vectors.missing('m', 9)).map(({ id }) => id)).toEqual(['1'])
      await index.vectors.set('new', [set('1', 1, 1)])
      expect((await index.vectors.missing('new', 9)).map(({ id }) => id)).toEqual(['3', '2'])
      await index.forget({ kind: 'session', sessionId: 'second', dryRun: false })
      expect((await index.stats()).vectors).toBe(1)
    })

    it('stores all vectors of an item, or none', async () => {
      const { index } = await setUp()
      await index.add([BEES, PIANO, DENTIST, ...['4', '5'].map((id) => turn(id, 'third', 4_000, `Number ${id}`))])
      const vectors = Array.from({ length: 12 }, (_, n) => new Float32Array([1, n]))
      const kind = 'turn' as const
      const given = ['1', '2', '3', '4', '5'].map((id) => ({ kind, id, vectors }))
      // No database takes such an id, as if it had failed there.
      await expect(index.vectors.set('m', [...given, { kind, id: '\0', vectors }])).rejects.toThrow()
      expect((await index.vectors.missing('m', 9)).map(({ id }) => id)).toContain('5')
    })

    it('derives everything anew, on demand and for a new version of the terms', async () => {
      const { recall, index } = await setUp()
      await index.add([BEES, PIANO, DENTIST, ...Array.from({ length: 250 }, (__, n) => turn(`n${n}`, 'many', n, `Number ${n}`))])
      const steps: number[] = []
      await index.reindex((done, of) => void steps.push(done / of))
      expect([steps[0], steps.at(-1)]).toEqual([0, 1])
      expect(await find(index, 'bees swarm')).toEqual(['1'])
      expect(await index.check()).toEqual([])

      const reversed = await openRecallHome(recall, 'homes/ada', {
        termsVersion: 2,
        termsOf: ({ user }) =>
          user
            .toLowerCase()
            .split(' ')
            .map((word) => [...word].reverse().join('')),
      })
      await reversed.index.reindex()
      expect(await find(reversed.index, 'seeb')).toEqual(['1'])
      expect(await find(reversed.index, 'bees')).toEqual([])
      expect(await reversed.index.check()).toEqual([])
      await reversed.index.close()
      expect(reversed.problems).toEqual([])
    })

    it('takes any text, and many items at once', async () => {
      const { index } = await setUp()
      const hostile = [
        `'; drop table x; --`,
        '%_\\',
        '"quoted"',
        '$1 $$ $body$',
        '{}[]',
        '👩‍🚀 ZWJ',
        'İstanbul',
        '日本語の文',
        'é',
        '\u2028',
        ' '.repeat(3),
        '',
      ]
      await index.add(hostile.map((text, n) => turn(`h${n}`, `s ${text}`, n, text, `marker${n} ${text}`)))
      for (const [n, text] of hostile.entries()) {
        expect((await index.search({ terms: [`marker${n}`], limit: 5 })).hits).toMatchObject([{ user: text, source: `s ${text}` }])
        expect(await index.readSession({ sessionId: `s ${text}`, at: 0, before: 1, after: 99 })).toHaveLength(1)
      }
      expect(await find(index, '日本語の文')).toEqual(['h7'])
      const long = turn(
        'long',
        'long',
        1,
        'word '.repeat(4_000),
        Array.from({ length: 15_000 }, (__, n) => `w${n}`)
          .join(' ')
          .slice(0, 100_000),
      )
      expect(await index.add([long, ...Array.from({ length: 600 }, (__, n) => turn(`b${n}`, 'bulk', n, `Bulk ${n}`))])).toBe(601)
      expect(await find(index, 'w7777')).toEqual(['long'])
      expect(await index.search({ terms: Array.from({ length: 64 }, (__, n) => `w${n}`), limit: 500 })).toMatchObject({
        hits: [{ id: 'long' }],
      })
      expect(await index.search({ terms: [], limit: 5 })).toMatchObject({ hits: [] })
    })
  })
}
