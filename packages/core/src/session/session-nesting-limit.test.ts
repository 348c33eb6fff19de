import { expect, it } from 'vitest'
import { processWide } from '../shared/process-wide.ts'
import { SessionNesting } from './session-nesting.ts'

it('keeps at most 5,000 waiting steps of all homes together, the newest', () => {
  const all = processWide<{ home: object; callKeys: Set<string> }[]>('waiting-steps-5', () => [])
  const before = all.splice(0)
  const sessions = ['call-0', 'call-1', 'call-2'].map((id) => ({ id, nesting: new SessionNesting({ storage: {} }, 'chat', () => 0) }))
  const call = (index: number) => {
    const { id = '', nesting } = sessions[index] ?? {}
    nesting?.noteCall({ id, name: 'research', input: {}, prompt: [] })
  }
  const kept = () => sessions.map(({ id, nesting }) => nesting.ownerOfCall(id, 'research'))
  call(0)
  call(1)
  const [, entry] = all
  if (!entry) throw new Error('The call was not kept.')
  // Opening thousands one by one takes a second.
  all.push(...Array.from({ length: 4_998 }, () => ({ ...entry, home: { storage: {} }, callKeys: new Set<string>() })))
  expect(kept()).toEqual(['own', 'own', 'unknown'])
  call(2)
  expect(kept()).toEqual(['unknown', 'own', 'own'])
  all.splice(0, all.length, ...before)
})
