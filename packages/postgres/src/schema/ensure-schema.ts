/** Brings the tables up to date, whoever asks first. */
import { HermesError } from '@hermes/core'
import type { Driver } from '../drivers/driver.ts'
import { judgeFailure } from '../failures/judge-failure.ts'
import { migrationStatements } from './migration-sql.ts'
import type { MigrationSet } from './migrations.ts'
import type { SchemaNames } from './schema-name.ts'

interface SchemaState {
  readonly number: number
  /** The library that the schema needs. */
  readonly needs: number
}

const readState = async ({ query }: Driver, table: string): Promise<SchemaState | undefined> => {
  try {
    const [row] = await query(`select max(number) as number, max(needs) as needs from ${table}`)
    return { number: Number(row?.['number'] ?? 0), needs: Number(row?.['needs'] ?? 0) }
  } catch (cause) {
    if (judgeFailure(cause).kind === 'no_tables') return undefined
    throw cause
  }
}

const checkEncoding = async ({ query }: Driver): Promise<void> => {
  const [row] = await query(`select current_setting('server_encoding') as encoding`)
  if (row?.['encoding'] === 'UTF8') return
  const message = `This database has the encoding ${String(row?.['encoding'])}, which cannot store every path. Create one with the encoding UTF8.`
  throw new HermesError('io', message)
}

const isSchemaThere = async ({ query }: Driver, { quoted }: SchemaNames): Promise<boolean> => {
  const [row] = await query('select to_regnamespace($1::text) is not null as there', [quoted])
  return row?.['there'] === true
}

const callOf = ({ schema }: SchemaNames, { options }: MigrationSet): string => {
  const given = [...(schema === 'hermes' ? [] : [`schema: '${schema}'`]), ...(options.recall ? ['recall: true'] : [])]
  return given.length === 0 ? 'migrationSql()' : `migrationSql({ ${given.join(', ')} })`
}

const mayNot = (names: SchemaNames, set: MigrationSet, action: 'create' | 'update', cause: HermesError): HermesError => {
  const sql = callOf(names, set)
  const command = `node --input-type=module -e "import { migrationSql } from '@hermes/postgres'; console.log(${sql})" | psql <connection of the owner>`
  const message = `The database user may not ${action} the tables of Hermes in the schema ${names.quoted}. Have their owner run: ${command}`
  return new HermesError('unwritable', message, { details: cause.details })
}

/**
 * Resolves once the tables of the set are those that this version needs. Rejects with a `HermesError` if the schema needs a newer version of the
 * library, or if the user may not create what is missing; with the client's error otherwise.
 */
export const ensureSchema = async (driver: Driver, names: SchemaNames, set: MigrationSet): Promise<void> => {
  const known = set.steps.at(-1)?.number ?? 0
  const state = await readState(driver, set.table(names))
  if (state && state.needs > known) {
    const message = `The tables of Hermes in the schema ${names.quoted} are of a newer @hermes/postgres: they need one that knows step ${state.needs}, this one knows ${known}. Update the package.`
    throw new HermesError('io', message)
  }
  if (state && state.number >= known) return
  await checkEncoding(driver)
  const withSchema = state === undefined && !(await isSchemaThere(driver, names))
  try {
    await driver.batch(migrationStatements(set, names, state?.number ?? 0, withSchema))
  } catch (cause) {
    const { error } = judgeFailure(cause)
    throw error.details['databaseCode'] === '42501' ? mayNot(names, set, state ? 'update' : 'create', error) : cause
  }
}
