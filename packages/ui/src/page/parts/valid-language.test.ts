import { expect, it } from 'vitest'
import { validLanguage } from './valid-language.ts'

it.each([
  ['en-US', 'en-US'],
  ['nb', 'nb'],
  ['en-US@posix', 'en-US'],
  ['de_DE.UTF-8', 'de'],
  ['C', 'en'],
  ['', 'en'],
  ['@posix', 'en'],
])('the language %o becomes %o, in which numbers can be written', (language, valid) => {
  expect(validLanguage(language)).toBe(valid)
  expect(new Intl.NumberFormat(validLanguage(language)).format(1)).toBe('1')
})
