/** Adds turns until it is killed or has added them all; prints the number of each that is stored. Arguments: folder, name, count, home. */
import { manyTurns, openIndex } from './open-index.ts'

const [, , folder = '', name = '', count = '0', home = ''] = process.argv
const index = await openIndex(folder, { home })
for (const [number, turn] of manyTurns(Number(count), name).entries()) {
  await index.add([turn])
  process.stdout.write(`${number}\n`)
}
await index.close()
