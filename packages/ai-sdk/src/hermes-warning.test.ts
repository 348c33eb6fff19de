import { expect, it } from 'vitest'
import { warnOnce } from './hermes-warning.ts'

it('writes each kind of warning once', () => {
  const lines: string[] = []
  const warn = warnOnce((line) => lines.push(line))
  warn({ code: 'missing-session', message: 'first' })
  warn({ code: 'missing-session', message: 'second' })
  warn({ code: 'invalid-option', message: 'third' })
  expect(lines).toEqual(['[hermes] first', '[hermes] third'])
})
