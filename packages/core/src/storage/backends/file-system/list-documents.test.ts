import { describe, expect, it } from 'vitest'
import { msUntilStampsHold } from './list-documents.ts'

const changedAt = (...times: readonly number[]) => times.map((time) => ({ changedAt: time }))

describe('msUntilStampsHold', () => {
  it('waits out the step of the clock in which the youngest file was written', () => {
    expect(msUntilStampsHold(changedAt(0, 995, 500), 1_000)).toBe(7)
    expect(msUntilStampsHold(changedAt(1_000), 1_000)).toBe(12)
  })

  it('waits for nothing if every file is old, of the future, or if there is none', () => {
    expect(msUntilStampsHold(changedAt(0, 988), 1_000)).toBe(0)
    expect(msUntilStampsHold(changedAt(1_001, 5_000), 1_000)).toBe(0)
    expect(msUntilStampsHold([], 1_000)).toBe(0)
  })
})
