/** The lock that is a file: what it says, how it is refreshed and released, and whom it keeps out. */
import { existsSync, readdirSync, readFileSync, readlinkSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { isExclusiveHeld, tryExclusiveFile } from '../../src/storage/backends/file-system/exclusive-file-lock.ts'
import { EXPIRES_AFTER_MS, parseHolder } from '../../src/storage/backends/file-system/lock-holder.ts'
import { CURRENT_PROCESS } from '../../src/storage/backends/file-system/process-identity.ts'
import { DEAD_HOLDER } from './support/dead-holder.ts'
import { replaceFileCalls, replacePromises } from './support/replaced-calls.ts'
import { temporaryFolder } from './support/temporary-home.ts'

const LIVE_HOLDER = JSON.stringify({ ...CURRENT_PROCESS, at: 0 })
const FOREIGN_HOLDER = JSON.stringify({ pid: 1, host: 'elsewhere', at: 0 })

const systemError = (code: string) => Object.assign(new Error(code), { code })

/** What fails, by the end of its path; and what happens right before a lock file is removed. */
const faults: { unlink?: Error | undefined; temporary?: Error | undefined; link?: Error | undefined; stat?: string | undefined } = {}
const before: { unlink?: (() => void) | undefined } = {}

replaceFileCalls((fs) => ({
  stat: async (path: string) => {
    if (faults.stat && path.endsWith(faults.stat)) throw systemError('EIO')
    return fs.stat(path)
  },
  unlink: async (path: string) => {
    const error = path.endsWith('.excl') ? faults.unlink : path.includes('.hermes-tmp-') ? faults.temporary : undefined
    if (error) throw error
    if (path.endsWith('.excl')) before.unlink?.()
    await fs.unlink(path)
  },
}))

replacePromises((fs) => ({
  link: async (from: string, to: string) => {
    if (faults.link) throw faults.link
    await fs.link(from, to)
  },
}))

let folder: string
let lock: string
let file: string

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'Date'] })
  folder = temporaryFolder()
  lock = join(folder, 'a.lock')
  file = `${lock}.excl`
})

afterEach(() => {
  vi.useRealTimers()
  Object.assign(faults, { unlink: undefined, temporary: undefined, link: undefined, stat: undefined })
  before.unlink = undefined
})

const take = async () => {
  const held = await tryExclusiveFile(lock)
  if (!held) throw new Error('The lock is taken.')
  return held
}

const age = (path: string, milliseconds: number): void => {
  const time = new Date(Date.now() - milliseconds)
  utimesSync(path, time, time)
}

/** Of an open file of this process. */
const pathOf = (handle: string): string => {
  try {
    return readlinkSync(`/proc/self/fd/${handle}`)
  } catch {
    return ''
  }
}

/** Lets a waiter try again so many times. */
const retries = (count: number) => {
  const mayRetry = vi.fn<() => Promise<boolean>>()
  for (let retry = 0; retry < count; retry++) mayRetry.mockResolvedValueOnce(true)
  return mayRetry.mockResolvedValue(false)
}

describe('a held lock file', () => {
  it('names its holder, is private, and leaves nothing behind', async () => {
    const held = await take()
    expect(parseHolder(readFileSync(file, 'utf8'))).toMatchObject(CURRENT_PROCESS)
    expect(readFileSync(file, 'utf8')).toHaveLength(321)
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(readdirSync(folder)).toEqual(['a.lock.excl'])
    await held.release()
    expect(readdirSync(folder)).toEqual([])
  })

  it('creates its folder, and is released although the folder is gone or a file by then', async () => {
    for (const replace of [() => undefined, () => writeFileSync(join(folder, 'deep'), 'a file')]) {
      lock = join(folder, 'deep/er/a.lock')
      const held = await take()
      rmSync(join(folder, 'deep'), { recursive: true })
      replace()
      await held.release()
    }
  })

  it('is waited for as often as the caller wants, and taken once it is free', async () => {
    const held = await take()
    const mayRetry = retries(2)
    expect(await tryExclusiveFile(lock, mayRetry)).toBeUndefined()
    expect(mayRetry).toHaveBeenCalledTimes(3)
    const next = tryExclusiveFile(lock, async () => {
      await held.release()
      return true
    })
    await (await next)?.release()
    expect(existsSync(file)).toBe(false)
  })

  it('is written again every five seconds, and by nobody after its release', async () => {
    const held = await take()
    const words = readFileSync(file, 'utf8')
    age(file, 60_000)
    vi.advanceTimersByTime(5_000)
    await vi.waitFor(() => expect(Date.now() - statSync(file).mtimeMs).toBeLessThan(30_000))
    expect(readFileSync(file, 'utf8')).toBe(words)
    await held.release()
    expect(vi.getTimerCount()).toBe(0)
  })

  it.runIf(process.platform === 'linux')('is open only while it is written', async () => {
    const open = () => readdirSync('/proc/self/fd').filter((handle) => pathOf(handle).startsWith(folder))
    const held = await take()
    age(file, 60_000)
    vi.advanceTimersByTime(5_000)
    await vi.waitFor(() => expect(Date.now() - statSync(file).mtimeMs).toBeLessThan(30_000))
    await held.release()
    await expect.poll(open, { interval: 1 }).toEqual([])
  })

  it('is never written into the file of another holder', async () => {
    const held = await take()
    const theirs = LIVE_HOLDER.padEnd(400)
    writeFileSync(file, theirs)
    vi.advanceTimersByTime(5_000)
    await held.release()
    expect(readFileSync(file, 'utf8')).toBe(theirs)
  })

  it('counts as held without a look for half the time after which it would be dead, then only if its file is there', async () => {
    const held = await take()
    const words = readFileSync(file, 'utf8')
    vi.setSystemTime(Date.now() + EXPIRES_AFTER_MS / 2)
    expect(await held.isHeld()).toBe(true)
    writeFileSync(file, LIVE_HOLDER)
    expect(await held.isHeld()).toBe(false)
    rmSync(file)
    expect(await held.isHeld()).toBe(false)
    writeFileSync(file, words)
    await held.release()
  })
})

describe('a failing disk', () => {
  it('makes no lock of what it does not say or cannot do', async () => {
    for (const fault of [{ link: systemError('EPERM') }, { stat: '.excl' }, { stat: '.lock' }]) {
      Object.assign(faults, { link: undefined, stat: undefined }, fault)
      await expect(tryExclusiveFile(lock)).rejects.toMatchObject({ code: fault.link ? 'EPERM' : 'EIO' })
      expect(readdirSync(folder)).toEqual([])
    }
  })

  it('costs no lock if only its temporary file stays, but a fault of the program is thrown', async () => {
    faults.temporary = systemError('EIO')
    await (await take()).release()
    faults.temporary = new TypeError('a fault')
    await expect(tryExclusiveFile(lock)).rejects.toThrow('a fault')
  })
})

describe('a lock file that cannot be removed at its release', () => {
  const EIO = systemError('EIO')

  it('is an error, and keeps nobody of this process out', async () => {
    const held = await take()
    faults.unlink = EIO
    await expect(held.release()).rejects.toThrow(EIO)
    await expect(tryExclusiveFile(lock)).rejects.toThrow(EIO)
    await expect(isExclusiveHeld(lock, async () => Date.now())).rejects.toThrow(EIO)
    faults.unlink = undefined
    await (await take()).release()
    expect(existsSync(file)).toBe(false)
  })

  it('is removed by who looks for it too, but not the file of the next holder', async () => {
    const held = await take()
    faults.unlink = EIO
    await expect(held.release()).rejects.toThrow(EIO)
    faults.unlink = undefined
    const words = readFileSync(file, 'utf8')
    writeFileSync(file, LIVE_HOLDER)
    expect(await isExclusiveHeld(lock, async () => Date.now())).toBe(true)
    writeFileSync(file, words)
    expect(await isExclusiveHeld(lock, async () => Date.now())).toBe(false)
    expect(existsSync(file)).toBe(false)
  })
})

describe('the file of another holder', () => {
  it.each([
    ['nobody', undefined, 0, false, false],
    ['a process that runs', LIVE_HOLDER, 10 * EXPIRES_AFTER_MS, true, true],
    ['a process that has ended', DEAD_HOLDER, 0, false, false],
    ['another host that has written', FOREIGN_HOLDER, EXPIRES_AFTER_MS - 5_000, true, true],
    ['another host that has not written', FOREIGN_HOLDER, EXPIRES_AFTER_MS + 5_000, false, false],
  ])('of %s keeps others out, or is removed', async (_, words, milliseconds, isHeld, stays) => {
    for (const look of [() => isExclusiveHeld(lock, async () => Date.now()), async () => !(await tryExclusiveFile(lock))]) {
      rmSync(file, { force: true })
      if (words !== undefined) writeFileSync(file, words)
      if (words !== undefined) age(file, milliseconds)
      expect(await look()).toBe(isHeld)
      expect(existsSync(file) && readFileSync(file, 'utf8') === words).toBe(stays)
      expect(readdirSync(folder).filter((name) => name !== 'a.lock.excl')).toEqual([])
    }
  })

  it('is only looked at by those who wait', async () => {
    writeFileSync(file, LIVE_HOLDER)
    const status = () => statSync(folder, { bigint: true })
    const { mtimeNs } = status()
    expect(await tryExclusiveFile(lock, retries(3))).toBeUndefined()
    expect(status().mtimeNs).toBe(mtimeNs)
  })

  it('may be gone as soon as it was seen', async () => {
    faults.link = systemError('EEXIST')
    expect(await tryExclusiveFile(lock)).toBeUndefined()
  })

  it('keeps nobody out who looks below a file, where none can be', async () => {
    writeFileSync(join(folder, 'other'), 'a file')
    expect(await isExclusiveHeld(join(folder, 'other/a.lock'), async () => Date.now())).toBe(false)
  })

  it.each([
    ['in the hands of another by then', LIVE_HOLDER],
    ['gone by then', undefined],
  ])('is removed under a takeover that stays as it is if it is %s', async (_, words) => {
    const takeover = `${file}.takeover`
    writeFileSync(file, DEAD_HOLDER)
    before.unlink = () => {
      rmSync(takeover)
      if (words !== undefined) writeFileSync(takeover, words)
    }
    expect(await isExclusiveHeld(lock, async () => Date.now())).toBe(false)
    expect(existsSync(takeover) ? readFileSync(takeover, 'utf8') : undefined).toBe(words)
  })

  it('stays as long as a process that runs takes it over', async () => {
    const takeover = `${file}.takeover`
    writeFileSync(file, DEAD_HOLDER)
    writeFileSync(takeover, LIVE_HOLDER)
    expect(await isExclusiveHeld(lock, async () => Date.now())).toBe(true)
    expect(await tryExclusiveFile(lock)).toBeUndefined()
    expect(readFileSync(takeover, 'utf8')).toBe(LIVE_HOLDER)
    rmSync(takeover)
    expect(await isExclusiveHeld(lock, async () => Date.now())).toBe(false)
  })
})

describe('the mark of a holder of the other kind in the lock', () => {
  it('of a process that runs keeps the lock file away', async () => {
    writeFileSync(lock, LIVE_HOLDER)
    expect(await tryExclusiveFile(lock)).toBeUndefined()
    expect(readdirSync(folder)).toEqual(['a.lock'])
  })

  it.each([
    ['that has ended', DEAD_HOLDER, 0],
    ['of another host that has not written for long', FOREIGN_HOLDER, EXPIRES_AFTER_MS + 5_000],
  ])('of a process %s does not count', async (_, words, milliseconds) => {
    writeFileSync(lock, words)
    age(lock, milliseconds)
    await (await take()).release()
  })

  it('is waited for a moment, since the other holder goes away when it sees the file', async () => {
    writeFileSync(lock, LIVE_HOLDER)
    const taking = take()
    await vi.waitFor(() => expect(existsSync(file)).toBe(true), { interval: 1 })
    writeFileSync(lock, '')
    await (await taking).release()
  })
})
