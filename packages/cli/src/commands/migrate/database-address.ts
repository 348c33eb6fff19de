/** The address of a database. It may hold a password, so no message repeats it. */
import { EXIT, type Failure } from '../../answer.ts'

export interface DatabaseAddress {
  readonly connectionString: string
  /** Host and database, to be shown. */
  readonly label: string
}

const wrong = (message: string): Failure => ({ code: 'usage', message, exitCode: EXIT.usage })

/** `flag`: the value of --database; `variable`: that of DATABASE_URL. */
export const readAddress = (flag: string | undefined, variable: string | undefined): DatabaseAddress | Failure => {
  const connectionString = flag ?? variable ?? ''
  const name = flag === undefined ? 'DATABASE_URL' : '--database'
  if (connectionString === '')
    return wrong('Missing the database: set DATABASE_URL, or give --database postgres://user@host/name. --print needs none.')
  const url = URL.canParse(connectionString) ? new URL(connectionString) : undefined
  const isPostgres = url?.protocol === 'postgres:' || url?.protocol === 'postgresql:'
  if (!url || !isPostgres)
    return wrong(
      `${name} must be an address such as postgres://user@host:5432/name. In the password, write @ as %40, / as %2F, # as %23, ? as %3F and % as %25.`,
    )
  // A password that is not encoded would be taken for a part of the host or the path, and shown in errors.
  if (/@/.test(`${url.pathname}${url.search}${url.hash}`))
    return wrong(`${name} has an @ after the host. In the password, write @ as %40, / as %2F, # as %23, ? as %3F and % as %25.`)
  return { connectionString, label: `${url.host}${url.pathname}` }
}
