/** A process that adds turns to a home, five at a time, and prints the number of each group that is stored. Arguments: a `RecallTask` as JSON. */
import pg from 'pg'
import { postgresRecallIndex } from '../../src/postgres-recall-index.ts'
import { openRecallHome, turn } from './recall-homes.ts'

export interface RecallTask {
  readonly url: string
  readonly schema: string
  readonly name: string
  /** Others add the same groups with the same ids. */
  readonly isShared: boolean
  readonly groups: number
}

const { url, schema, name, isShared, groups }: RecallTask = JSON.parse(process.argv[2] ?? '')
const pool = new pg.Pool({ connectionString: url, max: 2 })
const { index } = await openRecallHome(postgresRecallIndex(pool, { schema }))
for (let group = 0; group < groups; group += 1) {
  const turns = Array.from({ length: 5 }, (_, n) => {
    const id = `${isShared ? 'shared' : name}-${group}-${n}`
    return turn(id, `session-${group}`, group, `common words and group${group}`, id.replaceAll('-', 'x'))
  })
  await index.add(turns)
  console.log(group)
}
await index.close()
await pool.end()
