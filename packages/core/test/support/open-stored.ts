/** The storage of a home in a folder, or in one SQLite file with the built module of `@hermes/sqlite`. */
import { fileSystemBackend } from '../../src/storage/files/file-backend.ts'
import type { StorageBackend } from '../../src/storage/storage-backend.ts'

export const openStored = async (home: string, sqlite: string | undefined): Promise<StorageBackend> => {
  if (sqlite === undefined) return fileSystemBackend(home, { onWarning: () => undefined })
  const { sqliteBackend } = (await import(sqlite)) as { readonly sqliteBackend: (file: string) => StorageBackend }
  return sqliteBackend(`${home}/hermes.db`)
}
