/** An update of a document whose place is known: the calls to the disk that it needs, and no others. */

import { describe, expect, it } from 'vitest'
import { fileSystemBackend } from '../../src/storage/backends/file-system/index.ts'
import { lockOf } from '../../src/storage/backends/file-system/own-files.ts'
import { readDocument, updateDocument } from '../../src/storage/one-document.ts'
import { createFailingDisk } from './support/failing-disk.ts'
import { temporaryFolder } from './support/temporary-home.ts'

const disk = createFailingDisk()
const one = () => new Uint8Array([1])

describe.runIf(process.platform === 'linux')('an update of a document whose place is known', () => {
  it('opens its lock, its folder and itself, and resolves no path, however many updates were before it', async () => {
    const home = temporaryFolder()
    const storage = fileSystemBackend(home)
    await updateDocument(storage, 'notes/a', one)
    await readDocument(storage, 'notes/a')
    for (let round = 0; round < 70; round++) await updateDocument(storage, 'notes/a', one)
    await Promise.all(Array.from({ length: 70 }, (_, index) => updateDocument(storage, `notes/${index}`, one)))
    disk.calls.length = 0
    await updateDocument(storage, 'notes/a', one)
    const lock = lockOf('notes/a')
    const calls = disk.calls.map((call) => call.replace(`${home}/`, '').replace(/\.hermes-tmp-.*/, '*'))
    // Once more if another test has left a lock behind.
    const needed = calls.filter((call, index) => !call.startsWith('stat ') || calls.indexOf(call) === index)
    expect(needed.sort()).toEqual(
      [
        ...['open', 'write', 'truncate'].map((call) => `${call} ${lock}`),
        `stat ${lock}.excl`,
        ...['open notes', 'open notes/a', 'fstat notes/a', 'read notes/a'],
        ...['open', 'writeFile', 'sync'].map((call) => `${call} notes/*`),
        ...['exactLstat notes/a', 'rename notes/a', 'sync notes'],
      ].sort(),
    )
    await storage.close()
  })
})
