/** An index in one SQLite file for each home, for the processes of one machine. */
import type { RecallIndex } from '../recall-index.ts'
import { loadDriver, type OpenConnection } from './driver.ts'
import { openHomeIndex } from './home-index.ts'
import { checkFolder, folderOfHome } from './index-files.ts'

export interface SqliteRecallIndexOptions {
  /** Created when something is first stored; `~` is the user's home folder. A home's file is `recall.db` in a folder of its own in it. */
  readonly folder: string
}

/** Throws a TypeError for a folder that cannot be used. `open` rejects with an Error that says what to install if there is no SQLite. */
export const sqliteRecallIndex = (options: SqliteRecallIndexOptions): RecallIndex => {
  const top = checkFolder(Reflect.get(Object(options), 'folder'))
  let driver: Promise<OpenConnection> | undefined
  return {
    async open(home) {
      const place = folderOfHome(top, home.folder)
      driver ??= loadDriver()
      return openHomeIndex(place, top, await driver, home)
    },
  }
}
