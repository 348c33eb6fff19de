/** Makes the vectors of an index until it is killed; prints a line for each call of the model. Argument: folder. */
import { setTimeout } from 'node:timers/promises'
import { ok } from '@hermes/core'
import { recallProvider } from '../../src/recall-provider.ts'
import { sqliteRecallIndex } from '../../src/sqlite/sqlite-recall-index.ts'
import { START } from './open-index.ts'
import { topicVectors } from './topics.ts'

const [, , folder = ''] = process.argv
const vectors = async (texts: readonly string[]) => {
  process.stdout.write('made\n')
  await setTimeout(2)
  return topicVectors(texts)
}
const provider = recallProvider({ index: sqliteRecallIndex({ folder }), embed: { model: 'topics', vectors } })
const home = { folder: '', clock: () => START, archived: async () => ok([]), report: console.error }
await provider.initialize(home, { signal: new AbortController().signal })
