/** Where the memory of everyone is: in PostgreSQL if `DATABASE_URL` names a database, otherwise in a folder. */
import type { StorageBackend } from '@hermes/core'
import { fileSystemBackend } from '@hermes/core/file-system'
import { postgresBackend } from '@hermes/postgres'
import { Pool } from 'pg'

const inDatabase = (connectionString: string): StorageBackend => {
  const pool = new Pool({ connectionString, max: 5 })
  // Without a listener, pg ends the process when an idle connection is lost. The next query opens a new one.
  pool.on('error', (error) => console.error(`A database connection was lost: ${error.message}`))
  return postgresBackend(pool)
}

const inFolder = (home: string): StorageBackend => fileSystemBackend(home, { onWarning: (warning) => console.error(`Hermes: ${warning}`) })

export const openStorage = (): StorageBackend => {
  const { DATABASE_URL: database = '', HERMES_HOME: home = '.hermes' } = process.env
  return database === '' ? inFolder(home) : inDatabase(database)
}
