/** Folders for one test, and a look at what is really on the disk. */
import { mkdtempSync, readdirSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

/** With every link resolved, for tests that compare paths; removed when the test is over. */
export const temporaryFolder = (): string => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'hermes-storage-')))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

export const filesOnDisk = (folder: string): string[] => readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort()

export const temporaryFilesOnDisk = (folder: string): string[] => filesOnDisk(folder).filter((name) => name.includes('.hermes-tmp-'))
