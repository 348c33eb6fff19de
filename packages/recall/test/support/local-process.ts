/** Stores a turn and searches for it with the local model; prints the problems and what is found. Argument: folder. */
import { recallProvider } from '../../src/recall-provider.ts'
import { sqliteRecallIndex } from '../../src/sqlite/sqlite-recall-index.ts'
import { START, turn } from './open-index.ts'

const [, , folder = ''] = process.argv
const provider = recallProvider({ index: sqliteRecallIndex({ folder }), embed: 'local' })
const report = ({ message }: Error) => console.log(message)
const recall = await provider.openRecall({ folder: '', clock: () => START, report })
await recall.index.add([turn('t', 'The rent is due.')])
for (let n = 0; n < 2; n++) console.log((await recall.search({ text: 'Is the rent due?' })).map(({ id }) => id).join())
await recall.index.close()
