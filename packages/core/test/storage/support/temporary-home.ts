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

/** Every entry below the folder; follows no link, unlike Node's recursive readdir. */
export const filesOnDisk = (folder: string): string[] =>
  readdirSync(folder, { withFileTypes: true })
    .flatMap((entry) => [
      entry.name,
      ...(entry.isDirectory() ? filesOnDisk(join(folder, entry.name)).map((name) => `${entry.name}/${name}`) : []),
    ])
    .sort()

export const temporaryFilesOnDisk = (folder: string): string[] => filesOnDisk(folder).filter((name) => name.includes('.hermes-tmp-'))
