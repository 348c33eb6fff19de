/** Folders that are created on the way to a document, also while others create or remove them. */
import { existsSync, mkdirSync, rmdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { ensureFolder } from '../../src/storage/backends/file-system/durable-folder.ts'
import { replaceFileCalls, replacePromises } from './support/replaced-calls.ts'
import { temporaryFolder } from './support/temporary-home.ts'

const systemError = (code: string) => Object.assign(new Error(code), { code })

/** What happens right before a folder is created or looked at. */
const before: { mkdir?: (() => void) | undefined; stat?: (() => void) | undefined } = {}

replacePromises((fs) => ({
  mkdir: async (path: string, options: object) => {
    before.mkdir?.()
    await fs.mkdir(path, options)
  },
}))

replaceFileCalls((fs) => ({
  stat: async (path: string) => {
    before.stat?.()
    return fs.stat(path)
  },
}))

let home: string
beforeEach(() => {
  home = temporaryFolder()
  Object.assign(before, { mkdir: undefined, stat: undefined })
})

describe('a folder that is missing', () => {
  it('is created with those above it, for its owner alone', async () => {
    const folder = join(home, 'deep/er')
    await ensureFolder(folder)
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
    before.stat = () => {
      throw systemError('EIO')
    }
    await expect(ensureFolder(join(home, 'new'))).rejects.toMatchObject({ code: 'EIO' })
    expect(existsSync(join(home, 'new'))).toBe(false)
  })
})
