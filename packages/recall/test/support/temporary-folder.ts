/** A folder for each test, removed after it. */
import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

const newFolder = (): string => realpathSync(mkdtempSync(join(tmpdir(), 'hermes-recall-')))

export const temporaryFolder = (): string => {
  const folder = newFolder()
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}
