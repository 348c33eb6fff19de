/** Where an open file is, on systems that tell its path and on those that do not. */
import { linkSync, mkdirSync, renameSync, rmSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { onPlatform } from '../../../../test/storage/support/on-platform.ts'
import { openFilesBelow } from '../../../../test/storage/support/open-files.ts'
import { temporaryFolder } from '../../../../test/storage/support/temporary-home.ts'
import { type OpenFile, open } from './file-calls.ts'

type PinnedFolderModule = typeof import('./pinned-folder.ts')

/** The real one. */
const system = process.platform

let parent: string
let folder: string

beforeEach(() => {
  parent = temporaryFolder()
  folder = join(parent, 'folder')
  mkdirSync(folder)
})

/** With a copy of the module that has found out nothing yet. */
const onSystem = async (platform: string, act: (module: PinnedFolderModule) => Promise<void>): Promise<void> => {
  const file = `./pinned-folder.ts?${crypto.randomUUID()}`
  const module: PinnedFolderModule = await import(/* @vite-ignore */ file)
  await onPlatform(platform, () => act(module))
}

const opened = async (path: string, act: (handle: OpenFile) => Promise<void>): Promise<void> => {
  const handle = await open(path, 'r')
  try {
    await act(handle)
  } finally {
    await handle.close()
  }
}

it.runIf(process.platform === 'linux')(
  'finds out once that this system tells the places of open files, and keeps none open for it',
  async () => {
    await onSystem('linux', async (module) => {
      expect(await module.tellsPlaces()).toBe(true)
      expect(module.tellsPlaces()).toBe(module.tellsPlaces())
      expect(module.linksKeepChanging('a/b')).toMatchObject({ code: 'io', message: expect.stringContaining("'a/b'") })
    })
    expect(openFilesBelow('/').filter((file) => file === '/')).toEqual([])
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

describe.runIf(process.platform !== 'win32')('on a system without the paths of open files', () => {
  it('a file is at every name that it has, and was at every one in the same folder', () =>
    onSystem('darwin', async (module) => {
      for (const name of ['file', 'other']) writeFileSync(join(folder, name), 'x')
      linkSync(join(folder, 'file'), join(folder, 'second'))
      await opened(join(folder, 'file'), async (handle) => {
        expect(await module.isAt(handle, join(folder, 'second'))).toBe(true)
        expect(await module.wasAt(handle, join(folder, 'other'))).toBe(true)
        await expect(module.isAt(handle, join(folder, 'x'.repeat(300)))).rejects.toMatchObject({ code: 'ENAMETOOLONG' })
      })
    }))

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
      if (system === 'linux') expect(openFilesBelow(parent)).toEqual([])
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
