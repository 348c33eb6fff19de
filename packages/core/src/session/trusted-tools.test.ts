import { expect, it } from 'vitest'
import { toolTrust } from './trusted-tools.ts'

const result = (...toolNames: readonly string[]) => ({ role: 'tool', text: 'a result', toolNames }) as const

it('a name vouches for each tool of that name', () => {
  const { isTrusted } = toolTrust(['clock'])
  expect([isTrusted(result('clock')), isTrusted(result('fetch')), isTrusted(result('clock', 'fetch')), isTrusted(result())]).toEqual([
    true,
    false,
    false,
    false,
  ])
})

it('a tool object vouches only where the call offers that tool', () => {
  const clock = { name: 'clock', description: 'Tells the time.', schema: {} }
  const { isTrusted, noteOffered } = toolTrust([clock])
  expect(isTrusted(result('clock'))).toBe(false)
  noteOffered([{ name: 'clock', description: 'Tells the time.' }])
  expect(isTrusted(result('clock'))).toBe(true)
  noteOffered([{ name: 'clock', description: 'Notes of a server.' }])
  expect(isTrusted(result('clock'))).toBe(false)
  noteOffered(['clock'])
  expect(isTrusted(result('clock'))).toBe(false)
})

it('a tool without a description is one of its own', () => {
  const { isTrusted, noteOffered } = toolTrust([{ name: 'clock' }])
  noteOffered([{ name: 'clock' }])
  expect(isTrusted(result('clock'))).toBe(true)
  noteOffered([{ name: 'clock', description: 'Notes of a server.' }])
  expect(isTrusted(result('clock'))).toBe(false)
})
