/** A disk of which one call fails. */
import { readlinkSync } from 'node:fs'
import { afterEach } from 'vitest'
import { replaceFileCalls, replacePromises } from './replaced-calls.ts'

export interface FailingDisk {
  /** Only calls on this folder and what is below it count. */
  home: string
  /** Of each call its name and its path. */
  calls: string[]
  /** The number of the call that fails, counted from 0. */
  failing: number
  error: (call: string) => Error
}

const brokenDisk = (call: string): Error => Object.assign(new Error(`EIO: i/o error, ${call}`), { code: 'EIO' })

type Call = (...args: readonly unknown[]) => void

/** By a path or the number of an open file. */
const placeOf = (target: unknown): string => (typeof target === 'number' ? readlinkSync(`/proc/self/fd/${target}`) : String(target))

const BY_PATH_OR_FILE = ['open', 'lstat', 'stat', 'fstat', 'read', 'write', 'fsync', 'fdatasync', 'ftruncate', 'unlink', 'readdir'] as const
const PROMISED = ['mkdir', 'rmdir', 'readFile', 'writeFile', 'chmod', 'readlink'] as const

/** For each test of the file that calls it. */
export const createFailingDisk = (): FailingDisk => {
  const disk: FailingDisk = { home: '', calls: [], failing: -1, error: brokenDisk }

  /** The error, if this call fails. */
  const attempt = (call: string, place: string): Error | undefined => {
    if (place !== disk.home && !place.startsWith(`${disk.home}/`)) return undefined
    disk.calls.push(`${call} ${place}`)
    return disk.calls.length - 1 === disk.failing ? disk.error(`${call} '${place}'`) : undefined
  }

  const failing = (name: string, real: Call, placeAt = 0): Call => {
    const replaced: Call = (...args) => {
      const error = attempt(name, placeOf(args[placeAt]))
      if (error) setImmediate(args.at(-1) as Call, error)
      else real(...args)
    }
    return replaced
  }

  replaceFileCalls((fs) => ({
    ...Object.fromEntries(BY_PATH_OR_FILE.map((name) => [name, failing(name, fs[name] as Call)])),
    rename: failing('rename', fs.rename as Call, 1),
  }))

  replacePromises((fs) =>
    Object.fromEntries(
      PROMISED.map((name) => {
        const real = fs[name] as (...args: readonly unknown[]) => Promise<unknown>
        return [
          name,
          async (...args: readonly unknown[]) => {
            const error = attempt(name, placeOf(args[0]))
            if (error) throw error
            return real(...args)
          },
        ]
      }),
    ),
  )

  afterEach(() => {
    Object.assign(disk, { failing: -1, error: brokenDisk })
  })

  return disk
}
