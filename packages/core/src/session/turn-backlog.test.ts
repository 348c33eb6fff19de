import { describe, expect, it } from 'vitest'
import type { TurnMessage } from '../proposal/turn-message.ts'
import { BACKLOG_LIMITS, nextBacklog } from './turn-backlog.ts'

const turn = (n: number): readonly TurnMessage[] => [
  { role: 'user', text: `question ${n}` },
  { role: 'assistant', text: `answer ${n}` },
]

describe('nextBacklog', () => {
  it('keeps nothing while the host shows all that was said since the last review', () => {
    expect(nextBacklog([], [...turn(1), ...turn(2)], 2)).toEqual([])
  })

  it('keeps nothing after a review where the host shows its history', () => {
    expect(nextBacklog([], [...turn(1), ...turn(2)], 1)).toEqual([])
  })

  it('keeps each turn where the host sends one message a call', () => {
    let backlog: readonly TurnMessage[] = []
    for (let n = 1; n <= 3; n++) backlog = nextBacklog(backlog, turn(n), n)
    expect(backlog).toEqual([...turn(1), ...turn(2), ...turn(3)])
  })

  it('starts with the whole window when the window stops reaching back', () => {
    const window = [...turn(2), ...turn(3)]
    expect(nextBacklog([], window, 3)).toEqual(window)
  })

  it('goes on with the newest turn alone', () => {
    const backlog = [...turn(2), ...turn(3)]
    expect(nextBacklog(backlog, [...turn(3), ...turn(4)], 4)).toEqual([...backlog, ...turn(4)])
  })

  it('is bounded in messages and characters, the oldest go first', () => {
    let backlog: readonly TurnMessage[] = []
    for (let n = 1; n <= 100; n++) backlog = nextBacklog(backlog, [{ role: 'user', text: `${n} ${'x'.repeat(10_000)}` }], n)
    const chars = backlog.reduce((sum, message) => sum + message.text.length, 0)
    expect(chars).toBeLessThanOrEqual(BACKLOG_LIMITS.chars)
    expect(backlog.length).toBeLessThanOrEqual(BACKLOG_LIMITS.messages)
    expect(backlog.at(-1)?.text).toMatch(/^100 /)
  })
})
