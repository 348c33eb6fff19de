/** No call holds the event loop for long, in processor time, which does not depend on the machine's other load. */
import { expect, it } from 'vitest'
import { recallProvider } from '../src/recall-provider.ts'
import { sqliteRecallIndex } from '../src/sqlite/sqlite-recall-index.ts'
import { manyTurns, openIndex, START } from './support/open-index.ts'
import { temporaryFolder } from './support/temporary-folder.ts'

const TURNS = 6_000
const HOLD_MS = 50

const cpuMs = (): number => {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1_000
}

/** The longest time between two turns of the event loop. */
const longestHold = async (work: () => Promise<unknown>): Promise<number> => {
  let longest = 0
  let last = cpuMs()
  const timer = setInterval(() => {
    longest = Math.max(longest, cpuMs() - last)
    last = cpuMs()
  }, 1)
  try {
    await work()
  } finally {
    clearInterval(timer)
  }
  return Math.max(longest, cpuMs() - last)
}

it('works in pieces', async () => {
  const provider = recallProvider({ index: sqliteRecallIndex({ folder: temporaryFolder() }) })
  const recall = await provider.openRecall({ folder: '', clock: () => START, report: () => {} })
  const { index } = recall
  const turns = manyTurns(TURNS)
  await recall.search({ text: 'warm up' })
  const vectors = Array.from({ length: 60 }, (_, n) => Float32Array.from({ length: 512 }, (_each, at) => Math.sin(n * 99 + at * at)))
  const given = turns
    .toReversed()
    .map(({ kind, id }, n) => ({ kind, id, vectors: [0, 20, 40].map((at) => vectors[at + (n % 20)] ?? new Float32Array(512)) }))
  const holds = {
    add: await longestHold(() => index.add(turns)),
    search: await longestHold(() => recall.search({ text: 'Did we speak of word77 and the weather in March?' })),
    common: await longestHold(() => recall.search({ text: 'we spoke of the weather' })),
    vectors: await longestHold(() => index.vectors.set('m', given)),
    nearest: await longestHold(() => index.vectors.nearest('m', vectors[0] ?? new Float32Array(512), { limit: 80, project: '' })),
    missing: await longestHold(() => index.vectors.missing('m', 8)),
    forget: await longestHold(() =>
      index.forget({ kind: 'text', text: 'word70', matches: (text) => text.includes('word70'), dryRun: false }),
    ),
    prune: await longestHold(() => index.prune(START + 1_000 * 60_000)),
    reindex: await longestHold(() => index.reindex()),
    replace: await longestHold(() => index.replaceArchived([])),
  }
  await index.close()
  for (const [name, ms] of Object.entries(holds)) expect(ms, name).toBeLessThan(HOLD_MS)
})

it('compares the vectors of a long session in pieces', async () => {
  const index = await openIndex(temporaryFolder())
  const turns = manyTurns(1_000).map((turn) => ({ ...turn, source: 'long' }))
  await index.add(turns)
  const vectors = Array.from({ length: 12 }, (_, n) => Float32Array.from({ length: 512 }, (_each, at) => Math.sin(n * 99 + at * at)))
  await index.vectors.set(
    'm',
    turns.toReversed().map(({ kind, id }) => ({ kind, id, vectors })),
  )
  const search = { limit: 5, sessionId: 'long' }
  await index.vectors.nearest('m', vectors[0] ?? new Float32Array(512), search)
  const hold = await longestHold(async () => {
    const found = await index.vectors.nearest('m', vectors[7] ?? new Float32Array(512), search)
    expect(found.map(({ score }) => Math.round(score * 100))).toEqual([100, 100, 100, 100, 100])
  })
  await index.close()
  // A fifth of what a session may hold.
  expect(hold).toBeLessThan(HOLD_MS / 2)
})
