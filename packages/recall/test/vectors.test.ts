/** Vectors in a SQLite file: which items miss them, what is near, and that models lie side by side. */
import { expect, it } from 'vitest'
import type { HomeRecallIndex } from '../src/recall-index.ts'
import { manyTurns, openIndex, START, turn } from './support/open-index.ts'
import { temporaryFolder } from './support/temporary-folder.ts'

const idsOf = (found: readonly { readonly id: string }[]) => found.map(({ id }) => id)

const give = (index: HomeRecallIndex, model: string, ids: readonly string[], ...vectors: readonly Float32Array[]) =>
  index.vectors.set(
    model,
    ids.map((id) => ({ kind: 'turn', id, vectors })),
  )

const nearest = async (index: HomeRecallIndex, model: string, ...numbers: readonly number[]) =>
  idsOf(await index.vectors.nearest(model, Float32Array.from(numbers), { limit: 9 }))

it('names the newest first, and goes on after items that came meanwhile, that have none, or that are gone', async () => {
  const folder = temporaryFolder()
  let index = await openIndex(folder)
  await index.add(manyTurns(6))
  expect(idsOf(await index.vectors.missing('m', 2))).toEqual(['word-5', 'word-4'])
  await give(index, 'm', ['word-5'], Float32Array.of(1, 0))
  await give(index, 'm', ['word-4'])
  await index.add([turn('new', 'Something new.')])
  expect(idsOf(await index.vectors.missing('m', 2))).toEqual(['new'])
  await index.forget({ kind: 'text', text: 'word3', matches: (text) => text.includes('word3'), dryRun: false })
  await give(index, 'm', ['new', 'gone'], Float32Array.of(0, 1))
  await index.close()
  index = await openIndex(folder)
  expect(idsOf(await index.vectors.missing('m', 2))).toEqual(['word-2', 'word-1'])
  await give(index, 'm', ['word-2', 'word-1', 'word-0'], Float32Array.of(1, 1))
  expect(await index.vectors.missing('m', 2)).toEqual([])
  expect((await index.stats()).vectors).toBe(5)
  await index.close()
})

it('compares an item by its nearest vector, and leaves another model and another length alone', async () => {
  const index = await openIndex(temporaryFolder())
  await index.add([turn('a', 'One.'), turn('b', 'Two.')])
  await give(index, 'm', ['b'], Float32Array.of(1, -0.5), Float32Array.of(-1, 1))
  await give(index, 'm', ['a'], Float32Array.of(0.2, 1))
  await give(index, 'other', ['b', 'a'], Float32Array.of(-1, -1, 1))
  expect(await nearest(index, 'm', 1, -0.4)).toEqual(['b', 'a'])
  expect(await nearest(index, 'm', 0, 1)).toEqual(['a', 'b'])
  expect(await nearest(index, 'm', 1, 1, 1)).toEqual([])
  expect(await nearest(index, 'other', 1, 1, 1)).toHaveLength(2)
  expect(await index.vectors.missing('m', 9)).toEqual([])
  await index.close()
})

it('compares only the items that are named, within the limits of the search', async () => {
  const index = await openIndex(temporaryFolder())
  const turns = manyTurns(12)
  await index.add(turns)
  for (const [at, { id }] of turns.entries()) await give(index, 'm', [id], Float32Array.of(at, 1), Float32Array.of(-1, 0))
  await give(index, 'other', ['word-4'], Float32Array.of(1, 0))
  const named = [...['word-2', 'word-7', 'gone'].map((id) => ({ kind: 'turn' as const, id })), { kind: 'entry' as const, id: 'word-9' }]
  const near = async (search = {}) => idsOf(await index.vectors.nearest('m', Float32Array.of(1, 0), { limit: 9, among: named, ...search }))
  expect(await near()).toEqual(['word-7', 'word-2'])
  expect(await near({ limit: 1 })).toEqual(['word-7'])
  expect(await near({ after: turns[3]?.at })).toEqual(['word-7'])
  expect(await near({ among: [] })).toEqual([])
  await index.close()
})

it('makes all vectors anew for another length, and erases those of a model that nobody uses', async () => {
  const folder = temporaryFolder()
  const index = await openIndex(folder)
  await index.add(manyTurns(40))
  const ids = manyTurns(40).map(({ id }) => id)
  await give(index, 'm', ids.toReversed(), Float32Array.of(1, 0))
  await index.add([turn('new', 'Something new.')])
  await give(index, 'm', ['new'], Float32Array.of(1, 0, 0))
  expect(await nearest(index, 'm', 1, 0)).toEqual([])
  expect(await nearest(index, 'm', 1, 0, 0)).toEqual(['new'])
  expect(await index.vectors.missing('m', 100)).toHaveLength(40)
  await give(index, 'm', ids.toReversed(), Float32Array.of(0, 1, 0))
  expect(await index.vectors.missing('m', 9)).toEqual([])
  expect(await nearest(index, 'm', 1, 0, 0)).toContain('new')
  await give(index, 'm', ids.toReversed(), Float32Array.of(0, 1))
  expect(await nearest(index, 'm', 0, 1)).toHaveLength(9)
  expect(idsOf(await index.vectors.missing('m', 9))).toEqual(['new'])
  await index.close()
})

/** Numbers from -1 to 1, the same for the same seed. */
const numbers = (seed: number, length: number): Float32Array => {
  let state = seed * 2_654_435_761 + 1
  return Float32Array.from({ length }, () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0
    return state / 2 ** 31
  })
}

const cosine = (a: Float32Array, b: Float32Array): number => {
  const product = (x: Float32Array, y: Float32Array) => x.reduce((sum, number, at) => sum + number * (y[at] ?? 0), 0)
  return product(a, b) / Math.sqrt(product(a, a) * product(b, b))
}

const LENGTH = 256

it('finds among thousands most of what an exact comparison of all finds, and the nearest', async () => {
  const index = await openIndex(temporaryFolder())
  const turns = manyTurns(3_000)
  await index.add(turns)
  const middle = numbers(99, LENGTH)
  // Half random, half in one direction, as texts about one topic are.
  const vectors = turns.map((_, at) => numbers(at, LENGTH).map((number, place) => number + (at % 2) * (middle[place] ?? 0)))
  await index.vectors.set('m', turns.map(({ kind, id }, at) => ({ kind, id, vectors: [vectors[at] ?? middle] })).toReversed())
  let found = 0
  for (let round = 0; round < 10; round++) {
    const wanted = numbers(5_000 + round, LENGTH).map((number, place) => number + (middle[place] ?? 0))
    const exact = turns
      .map(({ id }, at) => ({ id, score: cosine(wanted, vectors[at] ?? middle) }))
      .sort((a, b) => b.score - a.score)
      .slice(0, 10)
    const near = await index.vectors.nearest('m', wanted, { limit: 10, after: START })
    found += exact.filter(({ id }) => near.some((each) => each.id === id)).length
    expect(near[0]?.score).toBeCloseTo(exact[0]?.score ?? 0, 1)
  }
  // Random numbers are the hardest: of vectors of texts, it finds all of the first ten.
  expect(found).toBeGreaterThanOrEqual(80)
  await index.close()
})
