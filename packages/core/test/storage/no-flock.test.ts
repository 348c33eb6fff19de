/** A machine without flock: lock files replace it, with a warning. */

import { afterEach, expect, it, vi } from 'vitest'
import { fileSystemBackend } from '../../src/storage/files/file-backend.ts'
import * as flock from '../../src/storage/files/flock.ts'
import { updateDocument } from '../../src/storage/one-document.ts'
import { temporaryFolder } from './support/temporary-home.ts'

afterEach(() => {
  vi.restoreAllMocks()
})

const one = () => new Uint8Array([1])

it('says once that flock is missing, what that means and what helps', async () => {
  vi.spyOn(flock, 'flockCalls').mockReturnValue(undefined)
  const warnings: string[] = []
  const storage = fileSystemBackend(temporaryFolder(), { onWarning: (message) => warnings.push(message) })
  for (const path of ['a', 'b']) expect(await updateDocument(storage, path, one)).toMatchObject({ ok: true })
  expect(warnings).toHaveLength(1)
  for (const words of ['flock(2) is not available', 'Python Hermes', 'koffi']) expect(warnings[0]).toContain(words)
})
