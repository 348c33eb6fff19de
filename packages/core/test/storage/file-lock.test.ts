/** Several locks at once, taken in one order, waited for, and released together. */
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { createFileLock, type FileLock, type LockOptions } from '../../src/storage/backends/file-system/file-lock.ts'
import { CURRENT_PROCESS } from '../../src/storage/backends/file-system/process-identity.ts'
import { replaceFileCalls, replaceTimers } from './support/replaced-calls.ts'
import { temporaryFolder } from './support/temporary-home.ts'

const LIVE_HOLDER = JSON.stringify({ ...CURRENT_PROCESS, at: 0 })

const faults: { unlink?: RegExp | undefined } = {}
/** Called instead of a pause; of `undefined` if it lasts until the next turn of the event loop. */
const pausing: { by?: ((milliseconds?: number) => void) | undefined } = {}
replaceFileCalls((fs) => ({
  unlink: async (file: string) => {
    if (faults.unlink?.test(file)) throw Object.assign(new Error('EIO'), { code: 'EIO' })
    await fs.unlink(file)
  },
}))

replaceTimers((real) => ({
  setTimeout: async (milliseconds: number) => (pausing.by ? pausing.by(milliseconds) : real.setTimeout(milliseconds)),
  setImmediate: async () => (pausing.by ? pausing.by() : real.setImmediate()),
}))

let folder: string
beforeEach(() => {
  folder = temporaryFolder()
  faults.unlink = undefined
  pausing.by = undefined
})

const at = (...names: readonly string[]): string[] => names.map((name) => join(folder, `${name}.lock`))

const create = (options: Partial<LockOptions> = {}): FileLock =>
  createFileLock({ timeoutMs: 0, kind: 'auto', warn: () => undefined, random: () => 0, clock: () => performance.now(), ...options })

const take = async (locks: FileLock, ...names: readonly string[]) => {
  const held = await locks.acquire(at(...names))
  if (!held.ok) throw held.error
  return held.value
}

/** Which of the locks are free. */
const free = async (...names: readonly string[]): Promise<string[]> => {
  const tried = await Promise.all(names.map(async (name) => ({ name, held: await create().acquireNow(join(folder, `${name}.lock`)) })))
  for (const { held } of tried) await held?.release()
  return tried.filter(({ held }) => held).map(({ name }) => name)
}

describe.each(['auto', 'exclusive-file'] as const)('locks of kind %s', (kind) => {
  it('are all held until they are released, each once even if it is named twice', async () => {
    const held = await take(create({ kind }), 'c', 'a', 'b', 'a')
    expect(await held.isHeld()).toBe(true)
    expect(await free('a', 'b', 'c', 'd')).toEqual(['d'])
    await held.release()
    expect(await free('a', 'b', 'c')).toEqual(['a', 'b', 'c'])
  })

  it.each([
    ['two', ['b', 'c']],
    ['many', ['d', 'c', 'b', 'a']],
  ])('of which one is taken are an error that names the first of %s, and leave the others free', async (_, names) => {
    const other = await take(create({ kind }), 'b')
    const third = await take(create({ kind }), 'c')
    const refused = await create({ kind, timeoutMs: 3 }).acquire(at(...names))
    const lock = `${at('b')[0]}${kind === 'auto' ? '' : '.excl'}`
    expect(refused).toMatchObject({ ok: false, error: { code: 'locked', details: { lock, timeoutMs: 3 } } })
    await third.release()
    expect(await free('a', 'b', 'c', 'd')).toEqual(['a', 'c', 'd'])
    await other.release()
  })

  it('are waited for as long as the caller wants, and looked for by nobody while this process holds them', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    const other = await take(create({ kind }), 'b')
    const random = vi.fn(() => 0)
    const taking = take(create({ kind, timeoutMs: 60_000, random }), 'b', 'c')
    for (let turn = 0; turn < 20; turn++) await nextTurn()
    vi.advanceTimersByTime(59_000)
    expect(random).not.toHaveBeenCalled()
    await other.release()
    await (await taking).release()
  })

  it('are taken one after another once those that others hold are free', async () => {
    const other = await take(create({ kind }), 'b')
    const taking = take(create({ kind, timeoutMs: 60_000 }), 'a', 'b', 'c')
    for (let turn = 0; turn < 20; turn++) await nextTurn()
    await other.release()
    const held = await taking
    expect(await free('a', 'b', 'c')).toEqual([])
    await held.release()
  })

  it('are not waited for by who asks for one now', async () => {
    const other = await take(create({ kind }), 'a')
    const [a = '', b = ''] = at('a', 'b')
    expect(await create({ kind, timeoutMs: 60_000 }).acquireNow(a)).toBeUndefined()
    const held = await create({ kind }).acquireNow(b)
    expect(await held?.isHeld()).toBe(true)
    await held?.release()
    await other.release()
  })
})

describe('the wait for a lock of another process', () => {
  it('ends soon after the lock is free', async () => {
    writeFileSync(`${at('a')[0]}.excl`, LIVE_HOLDER)
    let polls = 0
    const random = () => {
      // The first polls are without a pause.
      if (++polls === 6) writeFileSync(`${at('a')[0]}.excl`, JSON.stringify({ ...CURRENT_PROCESS, started: 'long ago', at: 0 }))
      return 0
    }
    await (await take(create({ kind: 'exclusive-file', timeoutMs: 60_000, random }), 'a')).release()
    expect(polls).toBe(6)
  })

  it('pauses longer and longer, but never longer than the caller wants to wait', async () => {
    writeFileSync(`${at('a')[0]}.excl`, LIVE_HOLDER)
    const pauses: (number | undefined)[] = []
    pausing.by = (milliseconds) => pauses.push(milliseconds)
    const clock = () => pauses.reduce<number>((sum, pause) => sum + (pause ?? 0), 1_000)
    const refused = await create({ kind: 'exclusive-file', timeoutMs: 20, random: () => 1, clock }).acquire(at('a'))
    expect(refused).toMatchObject({ ok: false, error: { code: 'locked' } })
    expect(pauses).toEqual([undefined, undefined, undefined, undefined, 1, 2, 3, 4, 5, 5])
  })

  it('is none if the time is over at once', async () => {
    writeFileSync(`${at('a')[0]}.excl`, LIVE_HOLDER)
    const random = vi.fn(() => 0)
    expect(await create({ kind: 'exclusive-file', random, clock: () => 0 }).acquire(at('a'))).toMatchObject({ ok: false })
    expect(random).not.toHaveBeenCalled()
  })
})

it('are all released although one cannot be, which is an error', async () => {
  const held = await take(create({ kind: 'exclusive-file' }), 'a', 'b', 'c')
  faults.unlink = /b\.lock\.excl$/
  await expect(held.release()).rejects.toThrow('EIO')
  expect(['a', 'b', 'c'].filter((name) => existsSync(join(folder, `${name}.lock.excl`)))).toEqual(['b'])
})

it('are lost together if one of them is', async () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  const held = await take(create({ kind: 'exclusive-file' }), 'a', 'b', 'c')
  vi.setSystemTime(Date.now() + 60_000)
  expect(await held.isHeld()).toBe(true)
  writeFileSync(`${at('b')[0]}.excl`, LIVE_HOLDER)
  expect(await held.isHeld()).toBe(false)
  vi.useRealTimers()
  await held.release()
})

it('warn once, however many are asked for at once', async () => {
  const warn = vi.fn()
  const locks = create({ kind: 'exclusive-file', warn })
  const [a = ''] = at('a')
  await Promise.all([locks.acquireNow(a), take(locks, 'b'), take(locks, 'c')])
  expect(warn).toHaveBeenCalledTimes(1)
})
