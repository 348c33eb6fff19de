/** The queue for a lock file within one process. */
import { setImmediate } from 'node:timers/promises'
import { expect, it, vi } from 'vitest'
import { enterLockQueue, isQueued } from './lock-queue.ts'

const LONG = 60_000

const watch = (entering: Promise<unknown>) => {
  const seen = { entered: false }
  void entering.then(() => {
    seen.entered = true
  })
  return seen
}

/** Waits until everything that does not depend on the first caller is done. */
const settle = async () => {
  for (let turn = 0; turn < 5; turn++) await setImmediate()
}

it('lets one in at a time, in the order they came', async () => {
  const order: string[] = []
  const visit = async (name: string) => {
    const leave = await enterLockQueue('order', LONG)
    order.push(`${name} in`)
    await setImmediate()
    order.push(`${name} out`)
    leave?.()
  }
  await Promise.all(['a', 'b', 'c'].map(visit))
  expect(order).toEqual(['a in', 'a out', 'b in', 'b out', 'c in', 'c out'])
})

it('keeps those behind a late waiter waiting for the one in front of it', async () => {
  const leaveFirst = await enterLockQueue('late', LONG)
  const late = enterLockQueue('late', 0)
  const behind = enterLockQueue('late', LONG)
  expect(await late).toBeUndefined()
  const after = enterLockQueue('late', LONG)
  const [seenBehind, seenAfter] = [watch(behind), watch(after)]
  await settle()
  expect([seenBehind.entered, seenAfter.entered]).toEqual([false, false])
  leaveFirst?.()
  const leaveBehind = await behind
  await settle()
  expect(seenAfter.entered).toBe(false)
  leaveBehind?.()
  const leaveAfter = await after
  expect(leaveAfter).toBeTypeOf('function')
  leaveAfter?.()
})

it('lets nobody past who comes when only a late waiter is still in line', async () => {
  const leaveFirst = await enterLockQueue('alone', LONG)
  expect(await enterLockQueue('alone', 0)).toBeUndefined()
  const next = enterLockQueue('alone', LONG)
  const seen = watch(next)
  await settle()
  expect(seen.entered).toBe(false)
  leaveFirst?.()
  const leaveNext = await next
  expect(leaveNext).toBeTypeOf('function')
  leaveNext?.()
})

it('keeps no timer once a caller has entered', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const leave = await enterLockQueue('timer', LONG)
  const next = enterLockQueue('timer', LONG)
  leave?.()
  const leaveNext = await next
  expect(vi.getTimerCount()).toBe(0)
  vi.useRealTimers()
  leaveNext?.()
})

it('is empty once everyone has left', async () => {
  const leave = await enterLockQueue('empty', LONG)
  expect(isQueued('empty')).toBe(true)
  const next = enterLockQueue('empty', LONG)
  leave?.()
  expect(isQueued('empty')).toBe(true)
  const leaveNext = await next
  leaveNext?.()
  expect(isQueued('empty')).toBe(false)
})
