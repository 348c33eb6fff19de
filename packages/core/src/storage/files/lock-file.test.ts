import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { temporaryFolder } from '../../../test/storage/support/temporary-home.ts'
import { LockFile } from './lock-file.ts'
import { currentProcess } from './process-identity.ts'

const newFile = (): string => join(temporaryFolder(), 'lock.held')

/** A lock that another process left `seconds` ago. */
const leftBehind = (words: string, seconds: number): string => {
  const file = newFile()
  writeFileSync(file, words)
  const at = Date.now() / 1_000 - seconds
  utimesSync(file, at, at)
  return file
}

const ended = spawnSync(process.execPath, ['--version']).pid

afterEach(() => void vi.useRealTimers())

describe('a lock file', () => {
  it('is one process’s until it is released, and closed to other users', async () => {
    const file = newFile()
    const [lock, other] = [new LockFile(file), new LockFile(file)]
    expect(await lock.take()).toBe(true)
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(await other.take()).toBe(false)
    await other.release()
    expect([await lock.isHeld(), readdirSync(dirname(file))]).toEqual([true, ['lock.held']])
    await lock.release()
    expect(readdirSync(dirname(file))).toEqual([])
    expect(await other.take()).toBe(true)
    await other.release()
  })

  it('has words that no other has', async () => {
    const files = [newFile(), newFile()]
    for (const file of files) await new LockFile(file).take()
    const [one, other] = files.map((file) => readFileSync(file, 'utf8'))
    expect(one).toMatch(new RegExp(`^${process.pid}-`))
    expect(one).not.toBe(other)
  })

  it('cannot be taken where there is no folder', async () => {
    await expect(new LockFile(join(temporaryFolder(), 'none/lock.held')).take()).rejects.toMatchObject({ code: 'ENOENT' })
  })

  it.each([
    ['of a process of this machine that has ended', `${ended}-${currentProcess.host}-1`, 0, true],
    ['of a process of this machine that runs', `${process.ppid}-${currentProcess.host}-1`, 1, false],
    ['of another machine', `${ended}-elsewhere-1`, 25, false],
    ['of another machine, silent for long', `${ended}-elsewhere-1`, 35, true],
    ['of a process that runs, silent for long', `${process.ppid}-${currentProcess.host}-1`, 35, true],
    ['without words', '', 25, false],
  ])('is taken over, or not: %s', async (_, words, seconds, isTaken) => {
    const file = leftBehind(words, seconds)
    const lock = new LockFile(file)
    expect(await lock.take()).toBe(isTaken)
    expect(readFileSync(file, 'utf8') === words).toBe(!isTaken)
    expect(readdirSync(dirname(file))).toEqual(['lock.held'])
    await lock.release()
  })

  it('is taken over by one of several alone', async () => {
    const file = leftBehind(`${ended}-elsewhere-1`, 60)
    const locks = Array.from({ length: 8 }, () => new LockFile(file))
    const taken = await Promise.all(locks.map((lock) => lock.take()))
    expect(taken.filter(Boolean)).toHaveLength(1)
    expect(readdirSync(dirname(file))).toEqual(['lock.held'])
    await Promise.all(locks.map((lock) => lock.release()))
    expect(readdirSync(dirname(file))).toEqual([])
  })

  it('shows every five seconds that its holder is alive', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] })
    const file = newFile()
    const lock = new LockFile(file)
    await lock.take()
    const words = readFileSync(file, 'utf8')
    utimesSync(file, 1, 1)
    vi.advanceTimersByTime(5_000)
    await expect.poll(() => statSync(file).mtimeMs).toBeGreaterThan(1_000)
    expect(readFileSync(file, 'utf8')).toBe(words)
    await lock.release()
    expect(vi.getTimerCount()).toBe(0)
  })

  it('is lost if another has taken it during a long silence, and then left alone', async () => {
    vi.useFakeTimers({ toFake: ['performance'] })
    const file = newFile()
    const lock = new LockFile(file)
    await lock.take()
    vi.advanceTimersByTime(20_000)
    expect(await lock.isHeld()).toBe(true)
    writeFileSync(file, 'theirs')
    expect(await lock.isHeld()).toBe(false)
    await lock.release()
    expect(readFileSync(file, 'utf8')).toBe('theirs')
  })
})
