/** What Hermes needs of a database client. One implementation for each client; none opens a connection of its own. */

export type SqlValue = string | number | boolean | Uint8Array | null

/** A result row, by column name. Texts, numbers, booleans and bytes; columns of other types are selected as text. */
export type Row = Readonly<Record<string, unknown>>

/** Runs one statement with its values for `$1`, `$2`, …; rejects with the client's own error. */
export type Query = (text: string, values?: readonly SqlValue[]) => Promise<readonly Row[]>

/** Contract: commits when `work` resolves, rolls back when it rejects, and rejects with the same error. Isolation: read committed. */
export type Transact = <T>(work: (query: Query) => Promise<T>) => Promise<T>

export interface Driver {
  /** Contract: one statement, which is a transaction of its own. */
  readonly query: Query
  /** Contract: all statements in one transaction; none has values. */
  readonly batch: (statements: readonly string[]) => Promise<void>
}

/** A batch for clients with transactions. */
export const batchBy =
  (transact: Transact): Driver['batch'] =>
  (statements) =>
    transact(async (query) => {
      for (const statement of statements) await query(statement)
    })
