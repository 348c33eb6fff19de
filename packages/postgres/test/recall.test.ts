/** The index over past sessions, with pg. */

import pg from 'pg'
import { afterAll, inject } from 'vitest'
import { recallIndexPromises } from './support/recall-index-promises.ts'

const url = inject('postgresUrl')
const pool = new pg.Pool({ connectionString: url, max: 10 })
afterAll(() => pool.end())

recallIndexPromises(
  'pg',
  () => pool,
  (text) => pool.query(text),
)
