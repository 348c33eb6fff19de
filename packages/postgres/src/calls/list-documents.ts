/** Lists the documents below a folder from the index; their bytes are not read. */
import { byCodeUnit, type DocumentInfo } from '@hermes/core/storage'
import type { Driver, Row } from '../drivers/driver.ts'
import type { SchemaNames } from '../schema/schema-name.ts'
import { textIn } from './document-rows.ts'

const toInfo = (row: Row): DocumentInfo => ({ path: textIn(row, 'path'), size: Number(row['size']), stamp: textIn(row, 'version') })

export const listDocuments = async ({ query }: Driver, { documents }: SchemaNames, prefix: string): Promise<readonly DocumentInfo[]> => {
  const columns = `select path, octet_length(bytes) as size, version::text as version from ${documents}`
  // '0' follows '/'.
  const rows =
    prefix === ''
      ? await query(columns)
      : await query(`${columns} where path >= $1::text and path < $2::text`, [`${prefix}/`, `${prefix}0`])
  return rows.map(toInfo).sort((a, b) => byCodeUnit(a.path, b.path))
}
