/** The statements of an update. A write names the version it replaces, so it never overwrites another one's. */
import type { HermesError } from '@hermes/core'
import type { DocumentContent } from '@hermes/core/storage'
import type { Query } from '../drivers/driver.ts'
import { TRAIL_LENGTH } from '../schema/migrations.ts'
import type { SchemaNames } from '../schema/schema-name.ts'
import type { AttemptOutcome } from './decide-outcome.ts'
import { COLUMNS, type DocumentState, textIn, toDocumentState } from './document-rows.ts'
import { inTheWay } from './structure-answer.ts'

export const readState = async (
  query: Query,
  { documents }: SchemaNames,
  path: string,
  forUpdate: boolean,
): Promise<DocumentState | undefined> => {
  const [row] = await query(`select ${COLUMNS} from ${documents} where path = $1::text${forUpdate ? ' for update' : ''}`, [path])
  return row && toDocumentState(row)
}

export interface LockLimits {
  readonly waitMs: number
  /** Longest pause of this process within the transaction. */
  readonly idleMs: number
}

/** Begins the work of a transaction: limits its times and resolves to its id. */
export const beginLocked = async (query: Query, { waitMs, idleMs }: LockLimits): Promise<string> => {
  const limits = { lock_timeout: waitMs, statement_timeout: waitMs, idle_in_transaction_session_timeout: idleMs }
  const settings = Object.entries(limits).map(([name, ms]) => `set_config('${name}', '${ms}', true)`)
  const [row = {}] = await query(`select txid_current()::text as id, ${settings.join(', ')}`)
  return textIn(row, 'id')
}

/** Whether a transaction was committed; `unknown`: still running, or long ago. */
export const readOutcome = async (query: Query, transaction: string): Promise<AttemptOutcome> => {
  const [row] = await query('select txid_status($1::text::bigint) as status', [transaction])
  const status = row?.['status']
  if (status === 'committed') return 'stored'
  return status === 'aborted' ? 'not_stored' : 'unknown'
}

export interface Write {
  readonly path: string
  /** The version that is replaced; `undefined`: there is no document yet. */
  readonly before: string | undefined
  readonly after: string | undefined
  /** `undefined`: the document is removed. */
  readonly content: Required<DocumentContent> | undefined
  readonly waitMs: number
}

/** `overtaken`: the document is not, or no longer, at the version that was to be replaced. */
export type WriteAnswer = 'written' | 'overtaken' | HermesError

const create = async (query: Query, { createDocument }: SchemaNames, { path, after, content, waitMs }: Write): Promise<WriteAnswer> => {
  const statement = `select ${createDocument}($1::text, $2::bytea, $3::boolean, $4::uuid, $5::integer) as answer`
  const { bytes, executable } = content ?? { bytes: new Uint8Array(), executable: false }
  const [row = {}] = await query(statement, [path, bytes, executable, after ?? null, waitMs])
  const answer = textIn(row, 'answer')
  return answer === 'created' ? 'written' : (inTheWay(path, answer) ?? 'overtaken')
}

export const writeDocument = async (query: Query, names: SchemaNames, write: Write): Promise<WriteAnswer> => {
  const { path, before, after, content, waitMs } = write
  if (before === undefined) return create(query, names, write)
  // The condition on the setting is evaluated before the row is locked.
  const where = `where path = $1::text and version = $2::uuid and set_config('lock_timeout', '${waitMs}', true) <> '' returning 1 as done`
  const rows =
    content === undefined
      ? await query(`delete from ${names.documents} ${where}`, [path, before])
      : await query(
          `update ${names.documents} set bytes = $3::bytea, executable = $4::boolean, version = $5::uuid, trail = (array[version] || trail)[1:${TRAIL_LENGTH}], updated_at = now() ${where}`,
          [path, before, content.bytes, content.executable, after ?? null],
        )
  return rows.length > 0 ? 'written' : 'overtaken'
}
