import { expect, it } from 'vitest'
import { processWide } from '../shared/process-wide.ts'
import { addCall, closeSteps, openStep, type StepEntry, stepsWithCall } from './waiting-steps.ts'

it('keeps at most 5,000 waiting steps of all homes together, the newest', () => {
  const all = processWide<StepEntry[]>('waiting-steps-5', () => [])
  const before = [...all]
  closeSteps(before)
  const open = (id: string) => {
    const entry = openStep({ storage: {} }, 'chat', false, [])
    addCall(entry, { id, name: 'research', input: {}, prompt: [] })
    return entry
  }
  open('call-0')
  const entry = open('call-1')
  // Opening thousands one by one takes a second.
  all.push(...Array.from({ length: 4_998 }, () => ({ ...entry, home: { storage: {} }, callKeys: new Set<string>() })))
  const kept = () => ['call-0', 'call-1', 'call-2'].map((id) => stepsWithCall(id, 'research').length)
  expect(kept()).toEqual([1, 1, 0])
  open('call-2')
  expect(kept()).toEqual([0, 1, 1])
  all.splice(0, all.length, ...before)
})
