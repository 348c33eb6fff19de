/** Reads a cut: one statement for any number of documents and folders. */
import { byCodeUnit, type DocumentInfo, type NamedPaths, type StoredDocument } from '@hermes/core/storage'
import type { Query, Row, SqlValue } from '../drivers/driver.ts'
import type { Patience } from '../failures/patience.ts'
import type { SchemaNames } from '../schema/schema-name.ts'
import { bytesIn, isTrue, textIn } from './document-rows.ts'

export interface CutRows {
  readonly documents: ReadonlyMap<string, StoredDocument>
  /** Paths of large documents that were not asked for. */
  readonly unread: ReadonlySet<string>
  /** The versions of these documents. */
  readonly versions: ReadonlyMap<string, string>
  /** In code-unit order of the path. */
  readonly infos: readonly DocumentInfo[]
  /** When the time of the call is up by the server's clock, in epoch milliseconds. */
  readonly until: number
}

export const ROWS = 'kind, path, bytes, executable, version, size'

/** The named documents and folders, as the functions of the schema take them. */
export const namedValues = ({ documents, folders }: NamedPaths): readonly [documents: string, folders: string] => [
  JSON.stringify([...documents]),
  JSON.stringify(folders),
]

const toInfo = (row: Row): DocumentInfo => ({ path: textIn(row, 'path'), size: Number(row['size']), stamp: textIn(row, 'version') })

export const toCutRows = (rows: readonly Row[], patience: Pick<Patience, 'left'>): CutRows => {
  const of = (kind: string) => rows.filter((row) => row['kind'] === kind)
  const found = of('document').map((row) => [textIn(row, 'path'), row] as const)
  const [clock] = of('time')
  return {
    documents: new Map(
      found
        .filter(([, row]) => row['bytes'] !== null)
        .map(([path, row]) => [path, { bytes: bytesIn(row), ...(isTrue(row['executable']) ? { executable: true } : {}) }]),
    ),
    unread: new Set(found.filter(([, row]) => row['bytes'] === null).map(([path]) => path)),
    versions: new Map(found.map(([path, row]) => [path, textIn(row, 'version')])),
    infos: of('info')
      .map(toInfo)
      .sort((a, b) => byCodeUnit(a.path, b.path)),
    until: Number(clock?.['size']) + patience.left(),
  }
}

/** For an update that most likely finds none of its documents, and is told if it does. `until`: see `CutRows`. */
export const emptyCut = (until: number): CutRows => ({ documents: new Map(), unread: new Set(), versions: new Map(), infos: [], until })

/** Rejects with the client's error. `whole`: the large documents that are read; undefined: all are. */
export const readCut = async (
  query: Query,
  { readCut: name }: SchemaNames,
  named: NamedPaths,
  whole: readonly string[] | undefined,
  patience: Patience,
): Promise<CutRows> => {
  const values: readonly SqlValue[] = [...namedValues(named), whole === undefined ? null : JSON.stringify(whole)]
  return toCutRows(await query(`select ${ROWS} from ${name}($1::text, $2::text, $3::text)`, values), patience)
}
