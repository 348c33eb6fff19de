import { expect, it } from 'vitest'
import { cleanText, oneLine } from './clean-text.ts'

it('takes out what could steer the terminal', () => {
  expect(cleanText('a\u001b[2Jb\u009b31mc\u0007\td\n')).toBe('a[2Jb31mc  d\n')
})

it('cuts to one line of the length', () => {
  expect(oneLine(' two\n  lines ')).toBe('two lines')
  expect(oneLine('123456', 5)).toBe('1234…')
})
