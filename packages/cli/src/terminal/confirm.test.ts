import { PassThrough } from 'node:stream'
import { describe, expect, it } from 'vitest'
import type { World } from '../world.ts'
import { confirm } from './ask-first.ts'

/** A terminal that sends these keys as soon as a question is asked. */
const terminal = (keys: string, isTTY = true): World => {
  const stdin = Object.assign(new PassThrough(), { isTTY, setRawMode: () => {} })
  const stderr = Object.assign(new PassThrough(), { isTTY, columns: 80 })
  let asked = false
  stderr.on('data', (chunk) => {
    if (asked || !String(chunk).includes('Yes')) return
    asked = true
    queueMicrotask(() => stdin.write(keys))
  })
  return {
    env: {},
    stdin,
    stdout: new PassThrough(),
    stderr,
    userHome: '/',
    createId: () => 'id',
    onInterrupt: () => () => {},
    onStop: () => () => {},
    endSoon: () => {},
  }
}

describe('confirm', () => {
  it.each([
    ['y', 'yes'],
    ['n', 'no'],
    ['\r', 'no'],
    ['\u0003', 'stopped'],
  ])('takes %j for %s', async (keys, expected) => {
    expect(await confirm('Delete everything?', terminal(keys))).toBe(expected)
  })

  it('asks nothing if there is no terminal', async () => {
    expect(await confirm('Delete everything?', terminal('y', false))).toBe('nobody')
  })
})
