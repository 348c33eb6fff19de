/** A document is read while its lock is taken: what others do with it in between is found before the write. */
import { renameSync, statSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { fileSystemBackend } from '../../src/storage/backends/file-system/index.ts'
import { temporaryFolder } from './support/temporary-home.ts'

/** `read`: a document was read. `locking`: called before an opened lock file is used. */
const between = vi.hoisted((): { read?: () => void; locking?: () => Promise<void> } => ({}))

vi.mock('../../src/storage/backends/file-system/file-calls.ts', async (importOriginal) => {
  const fs = await importOriginal<typeof import('../../src/storage/backends/file-system/file-calls.ts')>()
  return {
    ...fs,
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
  }
})

afterEach(() => {
  delete between.read
  delete between.locking
})

/** A home with a document; `meanwhile` runs once, after the next update has read it and before it has its lock. */
const setUp = async () => {
  const home = temporaryFolder()
  const file = join(home, 'notes/a')
  const storage = fileSystemBackend(home)
  await storage.update('notes/a', () => new TextEncoder().encode('one'))
  // The first path that is resolved without a link tells where the home is.
  await storage.read('notes/a')
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
    const updated = await storage.update('notes/a', (current) => append(current?.bytes))
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
    const updated = await storage.update('notes/a', (current) => append(current?.bytes))
    expect(updated).toMatchObject({ ok: false, error: { code: 'invalid_path' } })
    expect(statSync(join(outside, 'a')).size).toBe('theirs'.length)
    expect(statSync(join(home, 'moved/a')).size).toBe('one'.length)
    await storage.close()
  })
})
