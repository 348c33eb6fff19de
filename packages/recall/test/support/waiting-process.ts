/** Waits for a search by meaning, and for nothing else, while the vectors of many turns are being made; prints what is found. Arguments: folder, and milliseconds that it stays. */
import { setTimeout } from 'node:timers/promises'
import { ok } from '@hermes/core'
import { recallProvider } from '../../src/recall-provider.ts'
import { sqliteRecallIndex } from '../../src/sqlite/sqlite-recall-index.ts'
import { openIndex, START, turn } from './open-index.ts'

const [, , folder = '', stays] = process.argv
const call = { signal: new AbortController().signal }
const index = await openIndex(folder)
await index.add(
  Array.from({ length: 30 }, (_, n) => turn(`t${n}`, `The ${n}th letter is a long one, about the roof of the boathouse. `.repeat(4))),
)
await index.close()
const provider = recallProvider({ index: sqliteRecallIndex({ folder }), embed: 'local' })
const home = await provider.initialize(
  { folder: '', clock: () => START, archived: async () => ok([]), report: ({ message }) => console.log(message) },
  call,
)
for (let n = 0; n < 2; n++) await home.callTool?.({ name: 'session_search', input: { query: 'boathouse' }, sessionId: 'now' }, call)
console.log('found')
if (stays) await setTimeout(Number(stays))
await home.shutdown?.(call)
