import { describe, expect, it } from 'vitest'
import { callSafely } from './call-safely.ts'

describe('callSafely', () => {
  it('passes the value on', () => {
    const seen: number[] = []
    callSafely((value) => seen.push(value), 3)
    expect(seen).toEqual([3])
  })

  it('keeps what is thrown away from the caller', () => {
    const failures: unknown[] = []
    const thrower = () => {
      throw new Error('sync')
    }
    callSafely(thrower, undefined, (cause) => failures.push(cause))
    callSafely(thrower, undefined)
    expect(failures).toEqual([new Error('sync')])
  })

  it('keeps a rejection from becoming an unhandled one', async () => {
    const failure = new Promise((resolve) => {
      callSafely(() => Promise.reject(new Error('async')), undefined, resolve)
    })
    expect(await failure).toEqual(new Error('async'))
  })
})
