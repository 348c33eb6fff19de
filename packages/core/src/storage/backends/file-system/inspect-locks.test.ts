import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import promises from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished, vi } from 'vitest'
import { createFileLock } from './file-lock.ts'
import * as flock from './flock.ts'
import { inspectLocks } from './index.ts'
import { CURRENT_PROCESS } from './process-identity.ts'

const temporaryHome = (): string => {
  const home = mkdtempSync(join(tmpdir(), 'hermes-locks-'))
  onTestFinished(() => rmSync(home, { recursive: true, force: true }))
  mkdirSync(join(home, '.locks'))
  mkdirSync(join(home, 'memories'))
  return home
}

it.each(['.locks/03.lock', 'memories/MEMORY.md.lock'])('names the process that holds %s, and nobody after its release', async (lock) => {
  const home = temporaryHome()
  for (const kind of ['auto', 'exclusive-file'] as const) {
    const locks = createFileLock({ timeoutMs: 1_000, kind, warn: () => {}, random: () => 0, clock: () => performance.now() })
    const taken = await locks.acquire([join(home, lock)])
    const { kind: used, held } = await inspectLocks(home)
    const file = kind === 'auto' && used === 'flock' ? lock : `${lock}.excl`
    expect(held).toEqual([{ lock: file, pid: process.pid, seenAt: expect.any(Number), gone: false }])
    if (taken.ok) await taken.value.release()
    expect((await inspectLocks(home)).held).toEqual([])
  }
})

it('tells a dead holder from a live one, and reads a broken mark by its age', async () => {
  const home = temporaryHome()
  const { pid } = spawnSync(process.execPath, ['--version'])
  writeFileSync(join(home, '.locks/01.lock'), 'no mark')
  writeFileSync(join(home, '.locks/00.lock'), JSON.stringify({ ...CURRENT_PROCESS, pid, at: 1 }))
  writeFileSync(join(home, '.locks/02.lock'), '\n')
  writeFileSync(join(home, '.locks/03.lock'), JSON.stringify({ pid: 1, host: 'elsewhere', at: 1 }))
  const old = new Date(1_700_000_000_000)
  utimesSync(join(home, '.locks/01.lock'), old, old)
  expect((await inspectLocks(home)).held).toEqual([
    { lock: '.locks/00.lock', pid, seenAt: expect.any(Number), gone: true },
    { lock: '.locks/01.lock', pid: undefined, seenAt: old.getTime(), gone: true },
    { lock: '.locks/03.lock', pid: 1, seenAt: expect.any(Number), gone: false },
  ])
})

it('finds no lock in a missing home', async () => {
  expect((await inspectLocks('/no/such/home')).held).toEqual([])
})

it('says that lock files are used where flock is missing', async () => {
  const loading = vi.spyOn(flock, 'loadFlock').mockReturnValue(undefined)
  onTestFinished(() => loading.mockRestore())
  expect((await inspectLocks(temporaryHome())).kind).toBe('lock-files')
})

it('does not take a fault of the program for a missing lock', async () => {
  const reading = vi.spyOn(promises, 'readFile').mockRejectedValue(new TypeError('a fault'))
  syncBuiltinESMExports()
  onTestFinished(() => {
    reading.mockRestore()
    syncBuiltinESMExports()
  })
  await expect(inspectLocks(temporaryHome())).rejects.toThrow('a fault')
})
