/** Erases everything of an index. Argument: folder. */
import { openIndex } from './open-index.ts'

const [, , folder = ''] = process.argv
const index = await openIndex(folder)
await index.forget({ kind: 'all', dryRun: false })
await index.close()
