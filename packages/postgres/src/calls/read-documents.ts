/** Reads documents; those that are asked for together are one query. */
import type { StoredDocument } from '@hermes/core/storage'
import type { Driver } from '../drivers/driver.ts'
import type { SchemaNames } from '../schema/schema-name.ts'
import { COLUMNS, copyOf, textIn, toDocumentState } from './document-rows.ts'

const MAX_PATHS = 100
/** Calls that follow from each other without waiting for anything come within a few microtasks. */
const MICROTASKS = 32

interface Asked {
  readonly path: string
  readonly tell: (document: StoredDocument | undefined) => void
  readonly fail: (cause: unknown) => void
}

/** Resolves to the document, `undefined` if there is none; rejects with the client's error. */
export type ReadDocument = (path: string) => Promise<StoredDocument | undefined>

export const createReadDocument = ({ query }: Driver, { documents }: SchemaNames): ReadDocument => {
  const statement = `select ${COLUMNS} from ${documents} where path = any(array(select jsonb_array_elements_text($1::text::jsonb)))`
  let waiting: Asked[] = []

  const ask = async (asked: readonly Asked[]): Promise<void> => {
    try {
      const rows = await query(statement, [JSON.stringify([...new Set(asked.map(({ path }) => path))])])
      const found = new Map(rows.map((row) => [textIn(row, 'path'), toDocumentState(row).document]))
      for (const { path, tell } of asked) {
        const document = found.get(path)
        tell(document && copyOf(document))
      }
    } catch (cause) {
      for (const { fail } of asked) fail(cause)
    }
  }
  const askAll = async (): Promise<void> => {
    for (let hop = 0; hop < MICROTASKS; hop++) await undefined
    const asked = waiting
    waiting = []
    const parts = Array.from({ length: Math.ceil(asked.length / MAX_PATHS) }, (_, part) =>
      asked.slice(part * MAX_PATHS, (part + 1) * MAX_PATHS),
    )
    await Promise.all(parts.map(ask))
  }
  return (path) =>
    new Promise((tell, fail) => {
      waiting.push({ path, tell, fail })
      if (waiting.length === 1) askAll().catch(fail)
    })
}
