/** The address of a database. It may hold a password, so no message repeats it. */

import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { migrate, migrationSql } from '@hermes/postgres'
import type { Pool } from 'pg'
import { type Failure, usage } from '../../answer.ts'

export interface DatabaseAddress {
  readonly connectionString: string
  /** Host and database, to be shown. */
  readonly label: string
}

/** `flag`: the value of --database; `variable`: that of DATABASE_URL. */
export const readAddress = (flag: string | undefined, variable: string | undefined): DatabaseAddress | Failure => {
  const connectionString = flag ?? variable ?? ''
  const name = flag === undefined ? 'DATABASE_URL' : '--database'
  if (connectionString === '')
    return usage('Missing the database: set DATABASE_URL, or give --database postgres://user@host/name. --print needs none.')
  const url = URL.canParse(connectionString) ? new URL(connectionString) : undefined
  const isPostgres = url?.protocol === 'postgres:' || url?.protocol === 'postgresql:'
  if (!url || !isPostgres)
    return usage(
      `${name} must be an address such as postgres://user@host:5432/name. In the password, write @ as %40, / as %2F, # as %23, ? as %3F and % as %25.`,
    )
  // A password that is not encoded would be taken for a part of the host or the path, and shown in errors.
  if (/@/.test(`${url.pathname}${url.search}${url.hash}`))
    return usage(`${name} has an @ after the host. In the password, write @ as %40, / as %2F, # as %23, ? as %3F and % as %25.`)
  return { connectionString, label: `${url.host}${url.pathname}` }
}

interface Migrations {
  readonly migrate: typeof migrate
  readonly migrationSql: typeof migrationSql
}

interface Client {
  readonly Pool: typeof Pool
}

const hasFunctions = (value: unknown, names: readonly string[]): boolean =>
  typeof value === 'object' && value !== null && names.every((name) => typeof Reflect.get(value, name) === 'function')

const isMigrations = (value: unknown): value is Migrations => hasFunctions(value, ['migrate', 'migrationSql'])

const isClient = (value: unknown): value is Client => hasFunctions(value, ['Pool'])

const load = <T>(name: string, install: string, isExpected: (value: unknown) => value is T): T | Failure => {
  let loaded: unknown
  try {
    loaded = loadInstalled(name)
  } catch (cause) {
    const reason = cause instanceof Error ? (cause.message.split('\n')[0] ?? '') : String(cause)
    return { code: 'io', message: `${name} is installed but could not be loaded: ${reason}. Install it again: npm install ${install}` }
  }
  if (loaded === undefined)
    return {
      code: 'not_found',
      message: `${name} is installed neither in this folder nor beside the command. In your app's folder, run: npm install ${install}`,
    }
  return isExpected(loaded)
    ? loaded
    : { code: 'io', message: `The installed ${name} is of a version that hermes does not know. Update it: npm install ${install}` }
}

export const loadMigrations = (install: string): Migrations | Failure => load('@hermes/postgres', install, isMigrations)

export const loadClient = (install: string): Client | Failure => load('pg', install, isClient)

const loadInstalled = (name: string): unknown => {
  for (const place of [join(process.cwd(), 'package.json'), import.meta.filename]) {
    const require = createRequire(place)
    let path: string
    try {
      path = require.resolve(name)
    } catch {
      continue
    }
    return require(path)
  }
  return undefined
}
