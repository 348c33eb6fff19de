/** Folders for one test, and the files in them. */
import { mkdtempSync, readdirSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

/** A path without links, for tests that compare paths; removed after the test. */
export const temporaryFolder = (): string => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'hermes-storage-')))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** Every entry below the folder. Unlike Node's recursive readdir, follows no links. */
export const filesOnDisk = (folder: string): string[] =>
  readdirSync(folder, { withFileTypes: true })
    .flatMap((entry) => [
      entry.name,
      ...(entry.isDirectory() ? filesOnDisk(join(folder, entry.name)).map((name) => `${entry.name}/${name}`) : []),
    ])
    .sort()

export const temporaryFilesOnDisk = (folder: string): string[] => filesOnDisk(folder).filter((name) => name.includes('.hermes-tmp-'))
