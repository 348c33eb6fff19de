/** Folders that several moves use are opened once, synced once, and given back. */
import { mkdirSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { openFilesBelow } from '../../../../test/storage/support/open-files.ts'
import { temporaryFolder } from '../../../../test/storage/support/temporary-home.ts'
import { openFolders } from './open-folders.ts'
import { DisplacedError, type PinnedFolder } from './pinned-folder.ts'

let parent: string
let folder: string

beforeEach(() => {
  parent = temporaryFolder()
  folder = join(parent, 'folder')
  mkdirSync(folder)
})

const at = async (pinned: PinnedFolder) => pinned.at('x')

describe.runIf(process.platform === 'linux')('a folder that several moves use', () => {
  it('is opened once, and closed when all are done', async () => {
    const folders = openFolders()
    const [first, second] = [folders.forMove(), folders.forMove()]
    expect(await second.use(folder, at)).toBe(await first.use(folder, at))
    expect(await first.use(parent, async (pinned) => pinned.folder)).toBe(parent)
    expect(openFilesBelow(parent).sort()).toEqual([parent, folder].sort())
    folders.letGo()
    await expect.poll(() => openFilesBelow(parent), { interval: 1 }).toEqual([])
  })

  it('is opened anew if an earlier move has moved it, and is then the one at that path', async () => {
    const folders = openFolders()
    const move = folders.forMove()
    const before = await move.use(folder, at)
    renameSync(folder, join(parent, 'moved'))
    await expect(move.use(folder, at)).rejects.toMatchObject({ code: 'ENOENT' })
    mkdirSync(folder)
    expect(await move.use(folder, at)).not.toBe(before)
    expect(await move.use(folder, at)).toBe(await move.use(folder, at))
    expect(openFilesBelow(parent).sort()).toEqual([folder, join(parent, 'moved')].sort())
    await move.sync()
    folders.letGo()
    await expect.poll(() => openFilesBelow(parent), { interval: 1 }).toEqual([])
  })

  it('keeps the error of the work in it', async () => {
    const folders = openFolders()
    const move = folders.forMove()
    await expect(move.use(folder, () => Promise.reject(new DisplacedError('moved')))).rejects.toThrow(DisplacedError)
    folders.letGo()
  })
})

describe('the folders of moves', () => {
  /** Each folder reports when it is synced. */
  const watched = (failing?: string) => {
    const synced: string[] = []
    const pin = async (path: string) => ({
      isInPlace: async () => true,
      use: <T>(act: (pinned: PinnedFolder) => Promise<T>) =>
        act({
          folder: path,
          at: (name) => `${path}/${name}`,
          sync: async () => {
            synced.push(path)
            if (path === failing) throw new Error(`cannot sync ${path}`)
          },
        }),
      letGo: () => undefined,
    })
    return { synced, folders: openFolders(pin) }
  }

  it('are synced once for all, those used last first', async () => {
    const { synced, folders } = watched()
    const [first, second, unused] = [folders.forMove(), folders.forMove(), folders.forMove()]
    for (const path of ['a', 'b']) await first.use(path, at)
    for (const path of ['b', 'c', 'd']) await second.use(path, at)
    await unused.sync()
    expect(synced).toEqual([])
    await first.sync()
    expect(synced).toEqual(['b', 'a'])
    await second.sync()
    await first.sync()
    expect(synced).toEqual(['b', 'a', 'd', 'c'])
  })

  it('fail for every move that used the one that cannot be synced, though the disk is asked once', async () => {
    const { synced, folders } = watched('a')
    const [first, second, other] = [folders.forMove(), folders.forMove(), folders.forMove()]
    await first.use('a', at)
    await second.use('a', at)
    await other.use('b', at)
    for (const move of [first, second]) await expect(move.sync()).rejects.toThrow('cannot sync a')
    await other.sync()
    expect(synced).toEqual(['a', 'b'])
  })
})
