/** Recognises the host's client by its methods. */
import type { Driver } from './driver.ts'
import { hasMethods } from './has-methods.ts'
import { isNeonHttp, type NeonHttp, neonHttpDriver } from './neon-http.ts'
import { isPgPool, type PgPool, pgPoolDriver } from './pg-pool.ts'
import { isPGlite, type PGliteClient, pgliteDriver } from './pglite.ts'
import { isPostgresJs, type PostgresJs, postgresJsDriver } from './postgres-js.ts'

/** A `Pool` of pg or Neon, the `sql` of postgres.js, Neon's `neon()`, or a PGlite. */
export type PostgresClient = PgPool | PostgresJs | NeonHttp | PGliteClient

const ACCEPTED = "a Pool of 'pg' or '@neondatabase/serverless', the sql of 'postgres', neon(url), or a PGlite"

const adviceFor = (client: unknown): string => {
  if (typeof client === 'string') return 'but got a string. Make the client yourself: new Pool({ connectionString })'
  if (hasMethods(client, ['query', 'connect', 'end', 'release']))
    return 'but got a client taken from a pool. Pass the pool: pool, not await pool.connect()'
  if (hasMethods(client, ['query', 'connect', 'end']))
    return 'but got a single Client. Calls of Hermes overlap, and its transactions would mix with yours on the one connection. Pass a pool: new Pool({ max: 1 }) is enough'
  if (hasMethods(client, ['unsafe', 'savepoint'])) return 'but got the sql of one transaction. Pass the sql that postgres() returned'
  if (typeof client === 'object' && client !== null && '$client' in client) return 'but got an ORM. Pass its client: db.$client'
  if (client === undefined || client === null) return `but got ${client}. Is the module that makes it loaded, and the variable set?`
  return `but got ${typeof client === 'function' ? 'another function' : 'something else'}`
}

/** Throws a TypeError that says what to pass for anything but a `PostgresClient`. */
export const detectDriver = (client: unknown): Driver => {
  if (isPgPool(client) && !hasMethods(client, ['release'])) return pgPoolDriver(client)
  if (isPostgresJs(client)) return postgresJsDriver(client)
  if (isNeonHttp(client)) return neonHttpDriver(client)
  if (isPGlite(client)) return pgliteDriver(client)
  throw new TypeError(`Hermes needs ${ACCEPTED}, ${adviceFor(client)}.`)
}
