/** A document is read while its lock is taken: what others do with it in between is found before the write. */

import { renameSync, statSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { fileSystemBackend } from '../../src/storage/backends/file-system/index.ts'
import { type DocumentChange, readDocument, UNCHANGED, updateDocument } from '../../src/storage/one-document.ts'
import { replaceFileCalls } from './support/replaced-calls.ts'
import { temporaryFolder } from './support/temporary-home.ts'

/** `read`: a document was read. `locking`: called before an opened lock file is used. */
const between: { read?: () => void; locking?: () => Promise<void> } = {}

replaceFileCalls((fs) => ({
  open: async (file: string, ...rest: [never, never]) => {
    const handle = await fs.open(file, ...rest)
    if (file.endsWith('.lock')) await between.locking?.()
    if (!file.endsWith('notes/a')) return handle
    const read = handle.read.bind(handle) as (...args: unknown[]) => Promise<unknown>
    const told = async (...args: unknown[]) => {
      const result = await read(...args)
      between.read?.()
      return result
    }
    return Object.assign(handle, { read: told })
  },
}))

afterEach(() => {
  delete between.read
  delete between.locking
})

/** A home with a document; `meanwhile` runs once, after the next update has read it and before it has its lock. */
const setUp = async () => {
  const home = temporaryFolder()
  const file = join(home, 'notes/a')
  const storage = fileSystemBackend(home)
  await updateDocument(storage, 'notes/a', () => new TextEncoder().encode('one'))
  // The first path that is resolved without a link tells where the home is.
  await readDocument(storage, 'notes/a')
  const meanwhile = (act: () => void) => {
    const wasRead = new Promise<void>((resolve) => {
      between.read = resolve
    })
    between.locking = async () => {
      delete between.locking
      await wasRead
      act()
    }
  }
  return { home, file, storage, meanwhile }
}

const append = (bytes: Uint8Array | undefined) => new TextEncoder().encode(`${new TextDecoder().decode(bytes)}+`)

describe.runIf(process.platform === 'linux')('a document that was read before its lock was taken', () => {
  it('is read again if another process has replaced it, even by one of the same size and time', async () => {
    const { home, file, storage, meanwhile } = await setUp()
    meanwhile(() => {
      const { atime, mtime } = statSync(file)
      writeFileSync(join(home, 'other'), 'two')
      utimesSync(join(home, 'other'), atime, mtime)
      renameSync(join(home, 'other'), file)
    })
    const updated = await updateDocument(storage, 'notes/a', (current) => append(current?.bytes))
    expect(updated.ok && new TextDecoder().decode(updated.value?.bytes)).toBe('two+')
    await storage.close()
  })

  it('is not written through a folder that has become a link out of the home', async () => {
    const { home, storage, meanwhile } = await setUp()
    const outside = temporaryFolder()
    writeFileSync(join(outside, 'a'), 'theirs')
    meanwhile(() => {
      renameSync(join(home, 'notes'), join(home, 'moved'))
      symlinkSync(outside, join(home, 'notes'))
    })
    const updated = await updateDocument(storage, 'notes/a', (current) => append(current?.bytes))
    expect(updated).toMatchObject({ ok: false, error: { code: 'invalid_path' } })
    expect(statSync(join(outside, 'a')).size).toBe('theirs'.length)
    expect(statSync(join(home, 'moved/a')).size).toBe('one'.length)
    await storage.close()
  })
})

describe.runIf(process.platform === 'linux')('an update that joins one whose document was read already', () => {
  it('sees what another process had written when it was asked for, even if none of them changes anything', async () => {
    const { file, storage, meanwhile } = await setUp()
    const seen: string[] = []
    const look: DocumentChange = (current) => {
      seen.push(new TextDecoder().decode(current?.bytes))
      return UNCHANGED
    }
    const joined = new Promise((resolve) => {
      meanwhile(() => {
        writeFileSync(file, 'two')
        resolve(updateDocument(storage, 'notes/a', look))
      })
    })
    await updateDocument(storage, 'notes/a', () => UNCHANGED)
    expect(await joined).toMatchObject({ ok: true, value: { bytes: new TextEncoder().encode('two') } })
    expect(seen.at(-1)).toBe('two')
    await storage.close()
  })
})

describe.runIf(process.platform === 'linux')('a document whose lock is taken', () => {
  /** Two handles that do not write together, since their options differ; the lock is taken until `letGo`. */
  const hold = async () => {
    const { home, file, storage } = await setUp()
    const other = fileSystemBackend(home, { lockTimeoutMs: 5_000 })
    await readDocument(other, 'notes/a')
    let letGo: () => void = () => undefined
    const held = new Promise<void>((resolve) => {
      letGo = resolve
    })
    let isTaken: () => void = () => undefined
    const taken = new Promise<void>((resolve) => {
      isTaken = resolve
    })
    between.locking = async () => {
      delete between.locking
      isTaken()
      await held
    }
    const first = updateDocument(storage, 'notes/a', (current) => append(current?.bytes))
    await taken
    return { home, file, storage, other, first, letGo }
  }

  it('is read once the lock is free, with what was written meanwhile', async () => {
    const { storage, other, first, letGo } = await hold()
    const second = updateDocument(other, 'notes/a', (current) => append(current?.bytes))
    letGo()
    const updated = await Promise.all([first, second])
    expect(updated.map((each) => each.ok && new TextDecoder().decode(each.value?.bytes))).toEqual(['one+', 'one++'])
    await storage.close()
    await other.close()
  })

  it('is not written through a folder that has become a link out of the home during the wait', async () => {
    const { home, storage, other, first, letGo } = await hold()
    const outside = temporaryFolder()
    writeFileSync(join(outside, 'a'), 'theirs')
    const second = updateDocument(other, 'notes/a', () => {
      throw new Error('must not run')
    })
    // The second one has opened the folder by now, or opens the link.
    await new Promise((resolve) => setTimeout(resolve, 50))
    renameSync(join(home, 'notes'), join(home, 'moved'))
    symlinkSync(outside, join(home, 'notes'))
    letGo()
    for (const each of await Promise.all([first, second])) expect(each).toMatchObject({ ok: false, error: { code: 'invalid_path' } })
    expect(statSync(join(outside, 'a')).size).toBe('theirs'.length)
    await storage.close()
    await other.close()
  })

  it('is an error after the time that the caller waits', async () => {
    const { home, storage, first, letGo } = await hold()
    const hurried = fileSystemBackend(home, { lockTimeoutMs: 20 })
    await readDocument(hurried, 'notes/a')
    const refused = await updateDocument(hurried, 'notes/a', () => append(undefined))
    expect(refused).toMatchObject({ ok: false, error: { code: 'locked' } })
    letGo()
    expect(await first).toMatchObject({ ok: true })
    for (const each of [storage, hurried]) await each.close()
  })
})
