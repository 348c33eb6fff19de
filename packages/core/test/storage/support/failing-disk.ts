/** A disk of which one call fails. */
import { readlinkSync } from 'node:fs'
import { afterEach } from 'vitest'
import { replaceFileCalls, replacePromises } from './replaced-calls.ts'

export interface FailingDisk {
  /** Of each call its name and its path, without those on `ignored` paths. */
  calls: string[]
  ignored: RegExp | undefined
  /** The number of the call that fails, counted from 0. */
  failing: number
  error: (call: string) => Error
}

const brokenDisk = (call: string): Error => Object.assign(new Error(`EIO: i/o error, ${call}`), { code: 'EIO' })

/** The real path, for a path through an open folder. */
const named = (path: string): string => path.replace(/^\/proc\/self\/fd\/\d+/, (handle) => readlinkSync(handle))

/** For each test of the file that calls it. */
export const createFailingDisk = (): FailingDisk => {
  const disk: FailingDisk = { calls: [], ignored: undefined, failing: -1, error: brokenDisk }

  const attempted = async <T>(call: string, path: string, work: () => Promise<T>): Promise<T> => {
    if (disk.ignored?.test(path)) return work()
    disk.calls.push(`${call} ${path}`)
    if (disk.calls.length - 1 === disk.failing) throw disk.error(`${call} '${path}'`)
    return work()
  }

  replacePromises((fs) => ({
    link: async (from: string, to: string) => attempted('link', named(to), () => fs.link(from, to)),
    mkdir: async (path: string, options: object) => attempted('mkdir', named(path), () => fs.mkdir(path, options)),
    readFile: async (path: string, options: 'utf8') => attempted('readFile', named(path), () => fs.readFile(path, options)),
    rmdir: async (path: string) => attempted('rmdir', named(path), () => fs.rmdir(path)),
    writeFile: async (path: string, words: string, options: object) =>
      attempted('writeFile', named(path), () => fs.writeFile(path, words, options)),
  }))

  replaceFileCalls((fs) => {
    const { stat, exactStat, lstat, exactLstat, readEntries, readlink, realpath, unlink } = fs
    const onePath = Object.entries({ stat, exactStat, lstat, exactLstat, readEntries, readlink, realpath, unlink })
    return {
      ...Object.fromEntries(
        onePath.map(([call, work]) => [call, async (path: string) => attempted(call, named(path), async () => work(path))]),
      ),
      link: async (from: string, to: string) => attempted('link', named(to), () => fs.link(from, to)),
      rename: async (from: string, to: string) => attempted('rename', named(to), () => fs.rename(from, to)),
      open: async (path: string, flags: string | number, mode?: number) => {
        const name = named(path)
        return attempted('open', name, async () => {
          const handle = await fs.open(path, flags, mode)
          const { exactStat, read, readFile, write, writeFile, sync, truncate, chmod } = handle
          return Object.assign(handle, {
            exactStat: () => attempted('fstat', name, exactStat),
            read: (buffer: Uint8Array) => attempted('read', name, () => read(buffer)),
            readFile: () => attempted('readFile', name, readFile),
            sync: () => attempted('sync', name, sync),
            truncate: () => attempted('truncate', name, truncate),
            chmod: (mode: number) => attempted('chmod', name, () => chmod(mode)),
            write: (words: string) => attempted('write', name, () => write(words)),
            writeFile: (bytes: Uint8Array) => attempted('writeFile', name, () => writeFile(bytes)),
          })
        })
      },
    }
  })

  afterEach(() => {
    Object.assign(disk, { failing: -1, error: brokenDisk })
  })

  return disk
}
