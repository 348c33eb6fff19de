/** A folder is held open: whatever is put in its place meanwhile, the work stays in the folder or fails. */
import { mkdirSync, readdirSync, readFileSync, renameSync, rmdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { openFilesBelow } from '../../../../test/storage/support/open-files.ts'
import { temporaryFolder } from '../../../../test/storage/support/temporary-home.ts'
import { type OpenFile, open } from './file-calls.ts'
import { DisplacedError, isAt, letGo, orDisplaced, pinFolder, tellsPlaces, wasAt, withFolder } from './pinned-folder.ts'

let parent: string
let folder: string

beforeEach(() => {
  parent = temporaryFolder()
  folder = join(parent, 'folder')
  mkdirSync(folder)
})

/** A copy of the module that has found out nothing yet. */
const freshCopy = async (): Promise<typeof import('./pinned-folder.ts')> => {
  const file = `./pinned-folder.ts?${crypto.randomUUID()}`
  return await import(/* @vite-ignore */ file)
}

const opened = async (path: string, act: (handle: OpenFile) => Promise<void>): Promise<void> => {
  const handle = await open(path, 'r')
  try {
    await act(handle)
  } finally {
    await handle.close()
  }
}

it('turns only the error of a displaced folder into no result', async () => {
  expect(await orDisplaced(Promise.resolve('done'))).toBe('done')
  expect(await orDisplaced(Promise.reject(new DisplacedError('moved')))).toBeUndefined()
  await expect(orDisplaced(Promise.reject(new Error('other')))).rejects.toThrow('other')
  expect(new DisplacedError('moved').name).toBe('DisplacedError')
})

it.runIf(process.platform === 'linux')('is at its path also where the disk tells the name in other letters', async () => {
  await opened(folder, async (handle) => {
    expect(await isAt(handle, folder.toUpperCase())).toBe(true)
    expect(await wasAt(handle, folder.toUpperCase())).toBe(true)
  })
})

describe.runIf(process.platform !== 'win32')('a folder that is opened', () => {
  it('must be there, a folder, and no link', async () => {
    writeFileSync(join(parent, 'file'), 'x')
    symlinkSync(folder, join(parent, 'link'))
    symlinkSync('none', join(parent, 'dangling'))
    const fresh = await freshCopy()
    const pinning = (path: string) => expect(fresh.pinFolder(join(parent, path)), path).rejects
    await pinning('none').toMatchObject({ code: 'ENOENT' })
    for (const path of ['file', 'file/below']) await pinning(path).toMatchObject({ code: 'ENOTDIR' })
    for (const path of ['link', 'dangling']) await pinning(path).toThrow(fresh.DisplacedError)
  })

  it('is used only where it should be, by whatever way it was opened', async () => {
    symlinkSync(parent, join(parent, 'way'))
    const pin = await pinFolder(folder, join(parent, 'way/folder'))
    expect(await pin.isInPlace()).toBe(true)
    expect(await pin.use(async (pinned) => pinned.folder)).toBe(folder)
    renameSync(folder, join(parent, 'moved'))
    mkdirSync(folder)
    expect(await pin.isInPlace()).toBe(false)
    await expect(pin.use(async () => 'used')).rejects.toThrow(DisplacedError)
    pin.letGo()
  })

  it.runIf(process.platform === 'linux')('gets what is written to it even if it is replaced during the work', async () => {
    await withFolder(folder, async ({ at }) => {
      renameSync(folder, join(parent, 'moved'))
      mkdirSync(folder)
      await writeFile(at('file'), 'kept')
    })
    expect(readFileSync(join(parent, 'moved/file'), 'utf8')).toBe('kept')
    expect(readdirSync(folder)).toEqual([])
  })

  it('is displaced if it is removed during the work', async () => {
    const work = withFolder(folder, async ({ at }) => {
      rmdirSync(folder)
      await writeFile(at('file'), 'lost')
    })
    await expect(work).rejects.toThrow(DisplacedError)
  })

  it('shows its name in the errors of the system, and leaves others as they are', async () => {
    const missing = withFolder(folder, async ({ at }) => readFileSync(at('none')))
    await expect(missing).rejects.toMatchObject({ code: 'ENOENT', message: expect.stringContaining(`'${join(folder, 'none')}'`) })
    const occupied = withFolder(folder, async ({ at }) => readFileSync(at('.')))
    await expect(occupied).rejects.toMatchObject({ code: 'EISDIR' })
    let through = ''
    const failing = withFolder(folder, async ({ at }) => {
      through = at('x')
      throw new TypeError(`${through} is not for you`)
    })
    await expect(failing).rejects.toThrow(TypeError)
    await expect(failing).rejects.toThrow(`${through} is not for you`)
  })

  it('is written to the disk, where the system can do that, and fails where the disk does', async () => {
    const pin = await pinFolder(folder)
    const sync = await pin.use(async (pinned) => pinned.sync)
    await sync()
    pin.letGo()
    await expect(sync()).rejects.toMatchObject({ code: 'EBADF' })
    if (process.platform !== 'linux') return
    // The kernel's own folder cannot be synced.
    expect(await withFolder(`/proc/${process.pid}/task`, (pinned) => pinned.sync())).toBeUndefined()
  })

  it.runIf(process.platform === 'linux')('is closed after the work, also if that fails, and closing twice is no fault', async () => {
    await withFolder(folder, async () => expect(openFilesBelow(parent)).toHaveLength(1))
    await expect(withFolder(folder, () => Promise.reject(new Error('failed')))).rejects.toThrow('failed')
    await expect.poll(() => openFilesBelow(parent), { interval: 1 }).toEqual([])
    const handle = await open(folder, 'r')
    letGo(handle)
    letGo(handle)
    await expect.poll(() => openFilesBelow(parent), { interval: 1 }).toEqual([])
  })
})

it.runIf(process.platform === 'linux')('knows the places of open files here', async () => {
  expect(await tellsPlaces()).toBe(true)
})
