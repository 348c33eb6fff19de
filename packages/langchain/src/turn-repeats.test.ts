import { describe, expect, it } from 'vitest'
import { turnRepeats } from './turn-repeats.ts'

describe('turnRepeats', () => {
  const answered = (repeats: ReturnType<typeof turnRepeats>, text: string, history: unknown): boolean => {
    repeats.begin(text, history)
    return repeats.isRepeat(text)
  }

  it('knows a regeneration by the words and the history of the turn before', () => {
    const repeats = turnRepeats()
    expect(answered(repeats, 'yes', '')).toBe(false)
    expect(answered(repeats, 'yes', '')).toBe(true)
    expect(answered(repeats, 'yes', 'Human: yes')).toBe(false)
    expect(answered(repeats, 'no', 'Human: yes')).toBe(false)
  })

  it('takes the newest of several calls with the same words, because an older one has failed', () => {
    const repeats = turnRepeats()
    repeats.begin('yes', 'Human: one')
    expect(answered(repeats, 'two', 'Human: one')).toBe(false)
    expect(answered(repeats, 'yes', 'Human: one\nHuman: two')).toBe(false)
    expect(answered(repeats, 'yes', 'Human: one\nHuman: two')).toBe(true)
  })

  it('knows no regeneration if the history did not take the turn before in, and none without a history', () => {
    const repeats = turnRepeats()
    expect(answered(repeats, 'yes', '')).toBe(false)
    repeats.forget()
    expect(answered(repeats, 'yes', '')).toBe(false)
    const without = turnRepeats()
    expect([answered(without, 'yes', undefined), answered(without, 'yes', undefined)]).toEqual([false, false])
  })
})
