/** Folders that are created on the way to a document, also while others create or remove them. */
import { existsSync, mkdirSync, rmdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { ensureFolder, withEnsuredFolder } from '../../src/storage/backends/file-system/durable-folder.ts'
import { DisplacedError } from '../../src/storage/backends/file-system/pinned-folder.ts'
import { replaceFileCalls, replacePromises } from './support/replaced-calls.ts'
import { temporaryFolder } from './support/temporary-home.ts'

const systemError = (code: string) => Object.assign(new Error(code), { code })

/** What happens right before a folder is created, opened or looked at. */
const before: { mkdir?: (() => void) | undefined; open?: ((path: string) => void) | undefined; stat?: (() => void) | undefined } = {}

replacePromises((fs) => ({
  mkdir: async (path: string, options: object) => {
    before.mkdir?.()
    await fs.mkdir(path, options)
  },
}))

replaceFileCalls((fs) => ({
  open: async (path: string, ...rest: [never, never]) => {
    before.open?.(path)
    return fs.open(path, ...rest)
  },
  stat: async (path: string) => {
    before.stat?.()
    return fs.stat(path)
  },
}))

let home: string
beforeEach(() => {
  home = temporaryFolder()
  Object.assign(before, { mkdir: undefined, open: undefined, stat: undefined })
})

describe('a folder that is missing', () => {
  it('is created with those above it, for its owner alone', async () => {
    const folder = join(home, 'deep/er')
    expect(await withEnsuredFolder(folder, async (pinned) => pinned.folder)).toBe(folder)
    for (const path of [folder, join(home, 'deep')]) expect(statSync(path).mode & 0o777).toBe(0o700)
    await ensureFolder(folder)
  })

  it('is used if another process has created it first, but not what else is there', async () => {
    const folder = join(home, 'new')
    before.mkdir = () => mkdirSync(folder)
    await ensureFolder(folder)
    rmdirSync(folder)
    before.mkdir = () => writeFileSync(folder, 'a file')
    await expect(ensureFolder(folder)).rejects.toMatchObject({ code: 'EEXIST' })
  })

  it('is an error if it cannot be created, even if it is there', async () => {
    const folder = join(home, 'new')
    before.mkdir = () => {
      mkdirSync(folder)
      throw systemError('EIO')
    }
    await expect(ensureFolder(folder)).rejects.toMatchObject({ code: 'EIO' })
  })

  it('is an error below a file, and if the disk does not say what is there', async () => {
    writeFileSync(join(home, 'file'), 'a file')
    await expect(ensureFolder(join(home, 'file/below'))).rejects.toMatchObject({ code: 'EEXIST' })
    await expect(withEnsuredFolder(join(home, 'file'), async () => undefined)).rejects.toMatchObject({ code: 'ENOTDIR' })
    before.stat = () => {
      throw systemError('EIO')
    }
    await expect(ensureFolder(join(home, 'new'))).rejects.toMatchObject({ code: 'EIO' })
    expect(existsSync(join(home, 'new'))).toBe(false)
  })

  it('has to be looked for again if somebody removes it as soon as it is created', async () => {
    const folder = join(home, 'new')
    before.open = (path) => {
      if (path === folder && existsSync(folder)) rmdirSync(folder)
    }
    await expect(withEnsuredFolder(folder, async () => undefined)).rejects.toThrow(DisplacedError)
  })

  it('is not created again for what happens in it', async () => {
    for (const folder of [home, join(home, 'new')]) {
      const act = vi.fn(async () => Promise.reject(systemError('ENOENT')))
      await expect(withEnsuredFolder(folder, act)).rejects.toMatchObject({ code: 'ENOENT' })
      expect(act).toHaveBeenCalledTimes(1)
    }
  })
})
