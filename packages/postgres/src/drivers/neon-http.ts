/** `neon()` of `@neondatabase/serverless`: each statement is an HTTP request, so no lock lasts from one to the next. */
import { toHex } from '../calls/hex.ts'
import type { Driver, Row, SqlValue } from './driver.ts'
import { hasMethods } from './has-methods.ts'

type NeonAnswer = PromiseLike<unknown>

export interface NeonHttp {
  query(text: string, values?: unknown[], options?: { fullResults: true; arrayMode: false }): NeonAnswer
  // biome-ignore lint/suspicious/noExplicitAny: it takes its own promises of queries
  transaction(queries: any[], options?: { isolationLevel: 'ReadCommitted' }): Promise<unknown>
}

export const isNeonHttp = (client: unknown): client is NeonHttp =>
  typeof client === 'function' && hasMethods(client, ['query', 'transaction'])

const rowsOf = (answer: unknown): readonly Row[] =>
  typeof answer === 'object' && answer !== null && 'rows' in answer && Array.isArray(answer.rows) ? answer.rows : []

/** JSON carries no bytes. */
const toJsonValue = (value: SqlValue): unknown => (value instanceof Uint8Array ? `\\x${toHex(value)}` : value)

export const neonHttpDriver = (sql: NeonHttp): Driver => ({
  query: async (text, values = []) => rowsOf(await sql.query(text, values.map(toJsonValue), { fullResults: true, arrayMode: false })),
  batch: async (statements) => {
    await sql.transaction(
      statements.map((statement) => sql.query(statement)),
      { isolationLevel: 'ReadCommitted' },
    )
  },
})
