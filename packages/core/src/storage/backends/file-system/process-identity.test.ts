import { readFileSync } from 'node:fs'
import { expect, it, onTestFinished, vi } from 'vitest'
import { CURRENT_PROCESS, isRunning } from './process-identity.ts'

it('names this process and its host', () => {
  expect(CURRENT_PROCESS.pid).toBe(process.pid)
  expect(CURRENT_PROCESS.host).toMatch(/^[0-9a-f]{12}$/)
})

it.runIf(process.platform === 'linux')('tells the boot and the clock tick at which this process started', () => {
  const [boot, tick] = CURRENT_PROCESS.started?.split(':') ?? []
  expect(boot).toBe(readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim())
  const uptime = Number(readFileSync('/proc/uptime', 'utf8').split(' ')[0])
  // A hundred ticks are a second.
  expect(Math.abs(uptime - process.uptime() - Number(tick) / 100)).toBeLessThan(10)
})

it('tells a process that runs from one that has ended', () => {
  expect(isRunning(process.pid)).toBe(true)
  expect(isRunning(process.pid, CURRENT_PROCESS.started)).toBe(true)
  expect(isRunning(2 ** 22 + 1)).toBe(false)
  expect(isRunning(2 ** 22 + 1, CURRENT_PROCESS.started)).toBe(false)
})

it('takes a process that it may not ask, or whose start it cannot learn, for one that runs', () => {
  const asking = vi.spyOn(process, 'kill').mockReturnValue(true)
  onTestFinished(() => asking.mockRestore())
  expect(isRunning(2 ** 22 + 1, 'some time')).toBe(true)
  asking.mockImplementation(() => {
    throw Object.assign(new Error('EPERM'), { code: 'EPERM' })
  })
  expect(isRunning(2 ** 22 + 1)).toBe(true)
})

it.runIf(process.platform === 'linux')('tells a process from an earlier one with the same id, whatever its name is', () => {
  expect(isRunning(process.pid, 'before the last boot:17')).toBe(false)
  const { title } = process
  onTestFinished(() => {
    process.title = title
  })
  process.title = 'a) S 1 (b'
  expect(readFileSync('/proc/self/stat', 'utf8')).toContain('(a) S 1 (b)')
  expect(isRunning(process.pid, CURRENT_PROCESS.started)).toBe(true)
})
