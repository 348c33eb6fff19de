/** The lock of the kernel, on a file that others may remove, replace or mark. */
import { existsSync, readdirSync, readFileSync, readlinkSync, rmSync, statSync, unlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { loadFlock } from '../../src/storage/backends/file-system/flock.ts'
import { EXPIRES_AFTER_MS, parseHolder } from '../../src/storage/backends/file-system/lock-holder.ts'
import { CURRENT_PROCESS } from '../../src/storage/backends/file-system/process-identity.ts'
import { neverRetry, type TryLock } from '../../src/storage/backends/file-system/try-lock.ts'
import { DEAD_HOLDER } from './support/dead-holder.ts'
import { replaceFileCalls } from './support/replaced-calls.ts'
import { temporaryFolder } from './support/temporary-home.ts'

const LIVE_HOLDER = JSON.stringify({ ...CURRENT_PROCESS, at: 0 })

/** What fails on an opened lock file. */
const faults: {
  chmod?: Error | undefined
  truncate?: Error | undefined
  descriptor?: number | undefined
  close?: (() => Promise<void>) | undefined
} = {}

replaceFileCalls((fs) => ({
  open: async (path: string, ...rest: [never, never]) => {
    const opened = await fs.open(path, ...rest)
    const failing = (error: Error | undefined) => (error ? { fail: async () => Promise.reject(error) } : undefined)
    const { descriptor } = faults
    return path.endsWith('.lock')
      ? {
          ...opened,
          get fd() {
            return descriptor ?? opened.fd
          },
          close: faults.close ?? opened.close,
          chmod: failing(faults.chmod)?.fail ?? opened.chmod,
          truncate: () => failing(faults.truncate)?.fail() ?? opened.truncate(),
        }
      : opened
  },
}))

let file: string

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'Date'] })
  file = join(temporaryFolder(), 'a.lock')
})

afterEach(() => {
  vi.useRealTimers()
  Object.assign(faults, { chmod: undefined, truncate: undefined, descriptor: undefined, close: undefined })
})

const tryLock: TryLock = async (...args) => {
  const flock = loadFlock()
  if (!flock) throw new Error('koffi is needed for this test: it is a development dependency.')
  return flock(...args)
}

const take = async () => {
  const held = await tryLock(file)
  if (!held) throw new Error('The lock is taken.')
  return held
}

const openLocks = (): string[] =>
  readdirSync('/proc/self/fd').flatMap((handle) => {
    try {
      return readlinkSync(`/proc/self/fd/${handle}`).startsWith(file) ? [handle] : []
    } catch {
      return []
    }
  })

describe.runIf(process.platform !== 'win32')('a lock of the kernel', () => {
  it('is marked by its holder while it is held, is private, and is empty afterwards', async () => {
    const held = await take()
    expect(parseHolder(readFileSync(file, 'utf8'))).toMatchObject(CURRENT_PROCESS)
    expect(statSync(file).mode & 0o777).toBe(0o600)
    await held.release()
    expect(readFileSync(file, 'utf8')).toBe('')
    await (await take()).release()
  })

  it('creates its folder', async () => {
    file = join(file, '../deep/er/a.lock')
    await (await take()).release()
    expect(existsSync(file)).toBe(true)
  })

  it('tells once when it is taken, and never while another holds it', async () => {
    const onTaken = vi.fn()
    const held = await tryLock(file, neverRetry, onTaken)
    expect(onTaken).toHaveBeenCalledTimes(1)
    const mayRetry = vi.fn().mockResolvedValueOnce(true).mockResolvedValue(false)
    expect(await tryLock(file, mayRetry, onTaken)).toBeUndefined()
    expect(mayRetry).toHaveBeenCalledTimes(2)
    expect(onTaken).toHaveBeenCalledTimes(1)
    await held?.release()
  })

  it('is tried again on the file that has replaced the one it waits for', async () => {
    const held = await take()
    const mayRetry = vi
      .fn()
      .mockImplementationOnce(async () => {
        unlinkSync(file)
        writeFileSync(file, '')
        return true
      })
      .mockResolvedValueOnce(true)
      .mockResolvedValue(false)
    const second = await tryLock(file, mayRetry)
    expect(await second?.isHeld()).toBe(true)
    expect(await tryLock(file)).toBeUndefined()
    await second?.release()
    await held.release()
  })

  it('gives way to a live holder of the other kind, marks nothing then, and is free once that one is gone', async () => {
    writeFileSync(`${file}.excl`, LIVE_HOLDER)
    expect(await tryLock(file)).toBeUndefined()
    expect(readFileSync(file, 'utf8')).toBe('')
    const held = await tryLock(file, async () => {
      rmSync(`${file}.excl`)
      return true
    })
    expect(await held?.isHeld()).toBe(true)
    await held?.release()
    writeFileSync(`${file}.excl`, DEAD_HOLDER)
    await (await take()).release()
    expect(existsSync(`${file}.excl`)).toBe(false)
  })

  it('is not kept while its holder gives way', async () => {
    writeFileSync(`${file}.excl`, LIVE_HOLDER)
    const onTaken = vi.fn()
    const mayRetry = async () => {
      await tryLock(file, neverRetry, onTaken)
      return false
    }
    expect(await tryLock(file, mayRetry)).toBeUndefined()
    expect(onTaken).toHaveBeenCalledTimes(1)
  })

  it('is free after its release although its file takes long to be closed', async () => {
    let close: () => void = () => undefined
    const closing = new Promise<void>((resolve) => {
      close = resolve
    })
    faults.close = () => closing
    await (await take()).release()
    faults.close = undefined
    await (await take()).release()
    close()
  })

  it('is not held any more by a holder who was stopped for long if the other kind has taken over', async () => {
    const held = await take()
    writeFileSync(`${file}.excl`, LIVE_HOLDER)
    expect(await held.isHeld()).toBe(true)
    vi.setSystemTime(Date.now() + EXPIRES_AFTER_MS / 2)
    expect(await held.isHeld()).toBe(false)
    rmSync(`${file}.excl`)
    expect(await held.isHeld()).toBe(true)
    await held.release()
  })

  it('is marked again every five seconds until its release', async () => {
    const held = await take()
    const words = readFileSync(file, 'utf8')
    writeFileSync(file, '')
    vi.advanceTimersByTime(5_000)
    await vi.waitFor(() => expect(readFileSync(file, 'utf8')).toBe(words))
    await held.release()
    expect(vi.getTimerCount()).toBe(0)
  })

  it('is taken although its file belongs to another user, but a fault of the program is thrown', async () => {
    faults.chmod = Object.assign(new Error('EPERM'), { code: 'EPERM' })
    await (await take()).release()
    file = `${file}.other.lock`
    faults.chmod = new TypeError('a fault')
    await expect(take()).rejects.toThrow('a fault')
  })

  it('is free after a release whose mark could not be removed', async () => {
    const held = await take()
    faults.truncate = Object.assign(new Error('EIO'), { code: 'EIO' })
    await expect(held.release()).rejects.toThrow('EIO')
    faults.truncate = undefined
    await (await take()).release()
  })

  it('is an error if the system refuses it for another reason than a holder', async () => {
    faults.descriptor = 1_000_000
    await expect(tryLock(file)).rejects.toMatchObject({ code: 'ENOLCK' })
  })

  it.runIf(process.platform === 'linux')('keeps no file open, whether it is taken or not', async () => {
    const held = await take()
    expect(await tryLock(file)).toBeUndefined()
    expect(openLocks()).toHaveLength(1)
    await held.release()
    await expect.poll(openLocks, { interval: 1 }).toEqual([])
  })
})
