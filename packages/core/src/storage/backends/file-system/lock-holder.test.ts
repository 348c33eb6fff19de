import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createYouth, EXPIRES_AFTER_MS, holderWords, isGone, keepFresh, parseHolder } from './lock-holder.ts'
import { CURRENT_PROCESS } from './process-identity.ts'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'Date'] })
})

afterEach(() => {
  vi.useRealTimers()
})

describe('the mark of a holder', () => {
  it('names the process and the time, is one of its kind, and is as long as any other', () => {
    const [one, other] = [holderWords(), holderWords()]
    expect(JSON.parse(one)).toEqual({ ...CURRENT_PROCESS, at: Date.now(), id: expect.any(String) })
    expect(one).not.toBe(other)
    expect([one.length, one.at(-1)]).toEqual([321, '\n'])
  })

  it.each(['', 'gibberish', '{}', 'null', '{"pid":-1,"host":"x","at":0}', '{"pid":1.5,"host":"x","at":0}', '{"pid":1,"host":2,"at":0}'])(
    'cannot be read if it is %j, and counts by its age',
    (words) => {
      expect(parseHolder(words)).toBeUndefined()
      expect([isGone(words, EXPIRES_AFTER_MS), isGone(words, EXPIRES_AFTER_MS + 1)]).toEqual([false, true])
    },
  )

  it('counts by its process on this host, and by its age on another', () => {
    const running = { ...CURRENT_PROCESS, at: 0 }
    expect(isGone(JSON.stringify(running), Number.POSITIVE_INFINITY)).toBe(false)
    expect(isGone(JSON.stringify({ ...running, started: 'before' }), 0)).toBe(process.platform === 'linux')
    expect(isGone(JSON.stringify({ ...running, pid: 2 ** 22 + 1 }), 0)).toBe(true)
    const elsewhere = JSON.stringify({ ...running, host: 'elsewhere' })
    expect([isGone(elsewhere, EXPIRES_AFTER_MS), isGone(elsewhere, EXPIRES_AFTER_MS + 1)]).toEqual([false, true])
  })
})

describe('a mark that is kept fresh', () => {
  it('is written every five seconds, also after a write that failed, and no more once it is stopped', async () => {
    const write = vi.fn().mockRejectedValueOnce(new Error('EIO')).mockResolvedValue(undefined)
    const stop = keepFresh(write)
    await vi.advanceTimersByTimeAsync(4_999)
    expect(write).not.toHaveBeenCalled()
    await vi.advanceTimersByTimeAsync(5_001)
    expect(write).toHaveBeenCalledTimes(2)
    await stop()
    await vi.advanceTimersByTimeAsync(20_000)
    expect(write).toHaveBeenCalledTimes(2)
  })

  it('is stopped after the last write', async () => {
    let end: () => void = () => undefined
    const stop = keepFresh(
      () =>
        new Promise<void>((resolve) => {
          end = resolve
        }),
    )
    await vi.advanceTimersByTimeAsync(5_000)
    let isStopped = false
    const stopping = stop().then(() => {
      isStopped = true
    })
    for (let turn = 0; turn < 10; turn++) await Promise.resolve()
    expect(isStopped).toBe(false)
    end()
    await stopping
  })

  it('keeps no process alive', async () => {
    vi.useRealTimers()
    const started = vi.spyOn(globalThis, 'setInterval')
    const stop = keepFresh(async () => undefined)
    expect(started.mock.results.map(({ value }) => value.hasRef())).toEqual([false])
    started.mockRestore()
    await stop()
  })
})

it('counts a lock as young for half the time after which its holder would be dead, however the clock is set', () => {
  const now = Date.now()
  const isYoung = createYouth()
  const at = (offset: number): boolean => {
    vi.setSystemTime(now + offset)
    return isYoung()
  }
  const half = EXPIRES_AFTER_MS / 2
  expect([0, half - 1, half, -half + 1, -half].map(at)).toEqual([true, true, false, true, false])
})
