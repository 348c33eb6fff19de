/** Temporary files of killed processes, anywhere in the home, are deleted after the next process's first write. */

import { fileURLToPath } from 'node:url'
import { expect, it, vi } from 'vitest'
import { firstOf } from '../../../../scripts/support/rounds.ts'
import { fileSystemBackend } from '../../src/storage/files/file-backend.ts'
import { updateDocument } from '../../src/storage/one-document.ts'
import { startChild } from './support/child.ts'
import { temporaryFilesOnDisk, temporaryFolder } from './support/temporary-home.ts'

const script = fileURLToPath(new URL('./support/die-before-rename.ts', import.meta.url))
const one = () => new Uint8Array([1])
const leftOver = (home: string, expected: readonly string[]) =>
  vi.waitFor(() => expect(temporaryFilesOnDisk(home)).toEqual([...expected].sort()), { timeout: 20_000 })

it.each(firstOf(['auto', 'exclusive-file'] as const))('removes what a killed writer left in other folders, lock: %s', async (lock) => {
  const home = temporaryFolder()
  const paths = ['memories/MEMORY.md', 'journal/2026-11-22/a.json', 'skills/group/deploy/SKILL.md']
  const child = startChild(process.execPath, [script, JSON.stringify({ home, lock, paths })])
  expect(await child.ended).toBe('SIGKILL')
  expect(temporaryFilesOnDisk(home)).toHaveLength(paths.length)
  const storage = fileSystemBackend(home, { lock, onWarning: () => undefined })
  expect(await updateDocument(storage, 'sessions/a.json', one)).toMatchObject({ ok: true })
  await leftOver(home, [])
  await storage.close()
})
