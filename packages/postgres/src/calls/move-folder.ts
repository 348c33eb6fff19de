/** Moves a document or a folder: one statement, and so one transaction. */
import { HermesError } from '@hermes/core'
import { nothingAt, occupiedAt } from '@hermes/core/storage'
import type { Driver } from '../drivers/driver.ts'
import { judgeFailure } from '../failures/judge-failure.ts'
import type { Patience } from '../failures/patience.ts'
import type { SchemaNames } from '../schema/schema-name.ts'
import { textIn } from './document-rows.ts'
import { inTheWay } from './structure-answer.ts'

const toError = (from: string, to: string, answer: string, inDoubt: boolean): HermesError | undefined => {
  if (answer === 'moved') return undefined
  if (answer === 'not_found' && inDoubt) {
    const message = `The connection was lost while '${from}' was moved to '${to}', and both have changed since. List the two folders before you move again.`
    return new HermesError('io', message)
  }
  if (answer === 'not_found') return nothingAt(from)
  return answer === 'occupied'
    ? occupiedAt(to)
    : (inTheWay(to, answer) ?? new HermesError('io', `The database answered '${answer}' to a move.`))
}

export interface MoveRequest {
  readonly from: string
  readonly to: string
  readonly moveId: string
  readonly patience: Patience
}

/**
 * Resolves to the error that the move failed with, if any; rejects with a `HermesError` if the database did not answer. A move whose
 * answer was lost is asked for again under the same id: the database recognises it.
 */
export const moveFolder = async (
  { query }: Driver,
  { moveFolder: name }: SchemaNames,
  { from, to, moveId, patience }: MoveRequest,
): Promise<HermesError | undefined> => {
  const statement = `select ${name}($1::text, $2::text, $3::uuid, $4::integer) as answer`
  let inDoubt = false
  for (;;) {
    try {
      const [row = {}] = await patience.limit(query(statement, [from, to, moveId, patience.forServer()]))
      return toError(from, to, textIn(row, 'answer'), inDoubt)
    } catch (cause) {
      const { kind, error } = judgeFailure(cause)
      inDoubt ||= kind === 'dropped'
      if (kind === 'no_tables' || kind === 'final' || !(await patience.pause())) throw error
    }
  }
}
