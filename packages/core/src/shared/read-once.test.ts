import { expect, it } from 'vitest'
import { readOnce } from './read-once.ts'

it('reads once, also if that gives undefined, until it is told to forget', () => {
  let calls = 0
  const once = readOnce(() => {
    calls++
    return calls > 1 ? calls : undefined
  })
  expect([once.read(), once.read(), calls]).toEqual([undefined, undefined, 1])
  once.forget()
  expect([once.read(), once.read(), calls]).toEqual([2, 2, 2])
})
