import { expect, it } from 'vitest'
import { warnOnce } from './hermes-warning.ts'

it('writes each different warning once', () => {
  const lines: string[] = []
  const warn = warnOnce((line) => lines.push(line))
  warn({ code: 'missing-session', message: 'first' })
  warn({ code: 'missing-session', message: 'first' })
  warn({ code: 'other-session', message: 'second' })
  warn({ code: 'other-session', message: 'third' })
  expect(lines).toEqual(['[hermes] first', '[hermes] second', '[hermes] third'])
})

it('writes at most 20 warnings of a kind', () => {
  const lines: string[] = []
  const warn = warnOnce((line) => lines.push(line))
  for (let call = 1; call <= 30; call++) warn({ code: 'other-session', message: `call ${call}` })
  warn({ code: 'missing-session', message: 'another kind' })
  expect(lines).toHaveLength(21)
})
