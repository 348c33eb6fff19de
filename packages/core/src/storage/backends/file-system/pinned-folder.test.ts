/** A folder is held open: whatever is put in its place meanwhile, the work stays in the folder or fails. */
import {
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmdirSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { temporaryFolder } from '../../../../test/storage/support/temporary-home.ts'
import { type OpenFile, open } from './file-calls.ts'
import { DisplacedError, isAt, letGo, linksKeepChanging, orDisplaced, pinFolder, tellsPlaces, wasAt, withFolder } from './pinned-folder.ts'

type PinnedFolderModule = typeof import('./pinned-folder.ts')

let parent: string
let folder: string

beforeEach(() => {
  parent = temporaryFolder()
  folder = join(parent, 'folder')
  mkdirSync(folder)
})

/** A copy of the module as it is on another system, which tells no places of open files. */
const onSystem = async (platform: string, act: (module: PinnedFolderModule) => Promise<void>): Promise<void> => {
  const file = `./pinned-folder.ts?${crypto.randomUUID()}`
  const module: PinnedFolderModule = await import(/* @vite-ignore */ file)
  const before = process.platform
  Object.defineProperty(process, 'platform', { value: platform })
  try {
    await act(module)
  } finally {
    Object.defineProperty(process, 'platform', { value: before })
  }
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
  expect(linksKeepChanging('a/b')).toMatchObject({ code: 'io', message: expect.stringContaining("'a/b'") })
  expect(new DisplacedError('moved').name).toBe('DisplacedError')
})

it.runIf(process.platform === 'linux')(
  'finds out once that this system tells the places of open files, and keeps none open for it',
  async () => {
    const before = readdirSync('/proc/self/fd').length
    await onSystem('linux', async (module) => {
      expect(await module.tellsPlaces()).toBe(true)
      expect(module.tellsPlaces()).toBe(module.tellsPlaces())
    })
    expect(readdirSync('/proc/self/fd').length).toBe(before)
    await onSystem('darwin', async (module) => expect(await module.tellsPlaces()).toBe(false))
  },
)

describe.runIf(process.platform !== 'win32').each(['linux', 'darwin'])('an open file, on %s,', (platform) => {
  const onIt = (act: (module: PinnedFolderModule, handle: OpenFile, file: string) => Promise<void>) => async () => {
    const file = join(folder, 'file')
    writeFileSync(file, 'x')
    await onSystem(platform, (module) => opened(file, (handle) => act(module, handle, file)))
  }

  it(
    'is where it was opened',
    onIt(async (module, handle, file) => {
      expect(await module.isAt(handle, file)).toBe(true)
      expect(await module.wasAt(handle, file)).toBe(true)
      expect(await module.isAt(handle, join(folder, 'other'))).toBe(false)
      expect(await module.isAt(handle, folder)).toBe(false)
      expect(await module.wasAt(handle, join(parent, 'none/file'))).toBe(false)
    }),
  )

  it(
    'is no longer there once it is renamed, removed or replaced, but was there',
    onIt(async (module, handle, file) => {
      renameSync(file, join(parent, 'moved'))
      expect(await module.isAt(handle, file)).toBe(false)
      expect(await module.isAt(handle, join(parent, 'moved'))).toBe(true)
      writeFileSync(file, 'another')
      expect(await module.isAt(handle, file)).toBe(false)
      renameSync(file, join(parent, 'moved'))
      expect(await module.isAt(handle, join(parent, 'moved'))).toBe(false)
      expect(await module.wasAt(handle, join(parent, 'moved'))).toBe(true)
      unlinkSync(join(parent, 'moved'))
      expect(await module.isAt(handle, join(parent, 'moved'))).toBe(false)
      expect(await module.wasAt(handle, join(parent, 'moved'))).toBe(true)
    }),
  )

  it(
    'is not at a path that leads to it through a link',
    onIt(async (module, handle) => {
      symlinkSync(folder, join(parent, 'link'))
      expect(await module.isAt(handle, join(parent, 'link/file'))).toBe(false)
      expect(await module.wasAt(handle, join(parent, 'link/file'))).toBe(false)
      expect(await module.isAt(handle, join(parent, 'loop/file'))).toBe(false)
      symlinkSync('loop', join(parent, 'loop'))
      expect(await module.isAt(handle, join(parent, 'loop/file'))).toBe(false)
      expect(await module.isAt(handle, join(folder, 'file/below'))).toBe(false)
    }),
  )
})

it.runIf(process.platform === 'linux')('is at its path also where the disk tells the name in other letters', async () => {
  await opened(folder, async (handle) => {
    expect(await isAt(handle, folder.toUpperCase())).toBe(true)
    expect(await wasAt(handle, folder.toUpperCase())).toBe(true)
  })
})

describe.runIf(process.platform !== 'win32')('a folder that is opened', () => {
  it('must be there, a folder, and no link', async () => {
    await expect(pinFolder(join(parent, 'none'))).rejects.toMatchObject({ code: 'ENOENT' })
    writeFileSync(join(parent, 'file'), 'x')
    await expect(pinFolder(join(parent, 'file'))).rejects.toMatchObject({ code: 'ENOTDIR' })
    await expect(pinFolder(join(parent, 'file/below'))).rejects.toMatchObject({ code: 'ENOTDIR' })
    symlinkSync(folder, join(parent, 'link'))
    await expect(pinFolder(join(parent, 'link'))).rejects.toThrow(DisplacedError)
    symlinkSync('none', join(parent, 'dangling'))
    await expect(pinFolder(join(parent, 'dangling'))).rejects.toThrow(DisplacedError)
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
    const other = new Error('/proc/self/fd/ is not for you')
    await expect(withFolder(folder, () => Promise.reject(other))).rejects.toBe(other)
    expect(other.message).toBe('/proc/self/fd/ is not for you')
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
    const here = () =>
      readdirSync('/proc/self/fd').filter((handle) => {
        try {
          return readlinkSync(`/proc/self/fd/${handle}`).startsWith(parent)
        } catch {
          return false
        }
      })
    await withFolder(folder, async () => expect(here()).toHaveLength(1))
    await expect(withFolder(folder, () => Promise.reject(new Error('failed')))).rejects.toThrow('failed')
    await expect.poll(here, { interval: 1 }).toEqual([])
    const handle = await open(folder, 'r')
    letGo(handle)
    letGo(handle)
    await expect.poll(here, { interval: 1 }).toEqual([])
  })
})

describe.runIf(process.platform !== 'win32')('on a system without the paths of open files', () => {
  it('entries are reached by the path of the folder, which is checked before', () =>
    onSystem('darwin', async (module) => {
      expect(await module.withFolder(folder, async ({ at }) => at('file'))).toBe(join(folder, 'file'))
      const pin = await module.pinFolder(folder)
      rmSync(folder, { recursive: true })
      symlinkSync(parent, folder)
      await expect(pin.use(async () => 'used')).rejects.toThrow(module.DisplacedError)
      pin.letGo()
    }))

  it('Windows opens no folder, and refuses one that a link leads to', () =>
    onSystem('win32', async (module) => {
      const pin = await module.pinFolder(folder)
      expect(await pin.isInPlace()).toBe(true)
      expect(await pin.use(async ({ folder: place, at, sync }) => [place, at('file'), await sync()])).toEqual([
        folder,
        join(folder, 'file'),
        undefined,
      ])
      pin.letGo()
      symlinkSync(folder, join(parent, 'link'))
      await expect(module.pinFolder(join(parent, 'link'))).rejects.toThrow(module.DisplacedError)
    }))
})

it.runIf(process.platform === 'linux')('knows the places of open files here', async () => {
  expect(await tellsPlaces()).toBe(true)
})
