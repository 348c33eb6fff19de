import { expect, it } from 'vitest'
import { ToolTrust } from './tool-trust.ts'

const result = (...toolNames: readonly string[]) => ({ role: 'tool', text: 'a result', toolNames }) as const

it('a name vouches for each tool of that name', () => {
  const trust = new ToolTrust(['clock'])
  expect([
    trust.isTrusted(result('clock')),
    trust.isTrusted(result('fetch')),
    trust.isTrusted(result('clock', 'fetch')),
    trust.isTrusted(result()),
  ]).toEqual([true, false, false, false])
})

it('a tool object vouches only where the call offers that tool', () => {
  const clock = { name: 'clock', description: 'Tells the time.', schema: {} }
  const trust = new ToolTrust([clock])
  expect(trust.isTrusted(result('clock'))).toBe(false)
  trust.noteOffered([{ name: 'clock', description: 'Tells the time.' }])
  expect(trust.isTrusted(result('clock'))).toBe(true)
  trust.noteOffered([{ name: 'clock', description: 'Notes of a server.' }])
  expect(trust.isTrusted(result('clock'))).toBe(false)
  trust.noteOffered(['clock'])
  expect(trust.isTrusted(result('clock'))).toBe(false)
})

it('a tool without a description is one of its own', () => {
  const trust = new ToolTrust([{ name: 'clock' }])
  trust.noteOffered([{ name: 'clock' }])
  expect(trust.isTrusted(result('clock'))).toBe(true)
  trust.noteOffered([{ name: 'clock', description: 'Notes of a server.' }])
  expect(trust.isTrusted(result('clock'))).toBe(false)
})
