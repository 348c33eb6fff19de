/** The packages that `hermes migrate` uses if they are installed: `@hermes/postgres` and `pg`. */
import type { migrate, migrationSql } from '@hermes/postgres'
import type { Pool } from 'pg'
import type { Failure } from '../../answer.ts'
import { loadInstalled } from './load-installed.ts'

interface Migrations {
  readonly migrate: typeof migrate
  readonly migrationSql: typeof migrationSql
}

interface Client {
  readonly Pool: typeof Pool
}

export const isFailure = (value: object): value is Failure => 'code' in value && 'message' in value

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
    return { code: 'io', message: `${name} is installed but could not be loaded: ${reason}. Install it anew: npm install ${install}` }
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
