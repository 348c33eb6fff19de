/** Waits for a search by meaning, and for nothing else, while the vectors of many turns are being made; prints what is found. Argument: folder. */
import { setTimeout } from 'node:timers/promises'
import { ok } from '@hermes/core'
import { recallProvider } from '../../src/recall-provider.ts'
import { sqliteRecallIndex } from '../../src/sqlite/sqlite-recall-index.ts'
import { manyTurns, openIndex, START } from './open-index.ts'

const [, , folder = ''] = process.argv
const call = { signal: new AbortController().signal }
const index = await openIndex(folder)
await index.add(manyTurns(20))
await index.close()
const provider = recallProvider({ index: sqliteRecallIndex({ folder }), embed: 'local' })
const home = await provider.initialize(
  { folder: '', clock: () => START, archived: async () => ok([]), report: ({ message }) => console.log(message) },
  call,
)
// Nothing but the model is at work then.
await setTimeout(1_000)
await home.callTool?.({ name: 'session_search', input: { query: 'weather' }, sessionId: 'now' }, call)
console.log('found')
await home.shutdown?.(call)
