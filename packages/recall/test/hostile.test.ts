/** Searches and turns that nobody would write on purpose, or somebody would. */
import { expect, it } from 'vitest'
import { cpuMs } from '../../core/test/support/cpu-time.ts'
import type { Recall } from '../src/recall.ts'
import { recallProvider } from '../src/recall-provider.ts'
import { runSearchTool } from '../src/session-search.ts'
import { sqliteRecallIndex } from '../src/sqlite/sqlite-recall-index.ts'
import { START, turn } from './support/open-index.ts'
import { temporaryFolder } from './support/temporary-folder.ts'

const HOLD_MS = 50

const openRecall = (): Promise<Recall> =>
  recallProvider({ index: sqliteRecallIndex({ folder: temporaryFolder() }) }).openRecall({
    folder: '',
    clock: () => START,
    report: () => {},
  })

const HOSTILE = [
  '',
  ' ',
  '"',
  "'",
  '" OR 1=1 --',
  'NEAR(a b)',
  'terms : biscuit',
  'place:s00',
  'a* ^b + c - d',
  'AND OR NOT',
  '{terms place} : x',
  '\0',
  'biscuit\0dog',
  '\ud800',
  'a\udfffb\ud800',
  '%_[]?!\\',
  "'); drop table items; --",
  '😀😀',
  'a\u0301'.repeat(5_000),
  '\u0301'.repeat(50_000),
  'x'.repeat(1_000_000),
  'word '.repeat(200_000),
  '我喜欢吃苹果'.repeat(50_000),
  'ﷺ'.repeat(20_000),
]

it.each(HOSTILE.map((text) => [text.slice(0, 24), text] as const))('searches for %j', async (_, text) => {
  const recall = await openRecall()
  await recall.index.add([turn('a', 'The dog is called Biscuit.'), turn('b', 'Another word.')])
  const began = cpuMs()
  const hits = await recall.search({ text })
  const tookMs = cpuMs() - began
  expect(hits.length).toBeLessThanOrEqual(2)
  expect(tookMs).toBeLessThan(HOLD_MS * 2)
  const answer = await runSearchTool(recall, { query: text, session: text, after: text, limit: text }, { sessionId: 'own', project: '' })
  expect(JSON.stringify(answer).length).toBeLessThanOrEqual(8_200)
  await recall.index.close()
})

it.each([
  [{ query: 7, session: {}, limit: 'many' }],
  [{ after: 'yesterday' }],
  [{ before: Number.NaN }],
  [{ after: 1e300, query: 'dog' }],
  [{ session: 'nowhere', before: '2020-01-01' }],
  [{ limit: -1e9 }],
])('the tool answers %j', async (input) => {
  const recall = await openRecall()
  await recall.index.add([turn('a', 'The dog is called Biscuit.')])
  const answer = await runSearchTool(recall, input, { sessionId: 'own', project: '' })
  expect(typeof answer['success']).toBe('boolean')
  await recall.index.close()
})
