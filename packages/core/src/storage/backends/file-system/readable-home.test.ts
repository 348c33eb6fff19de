import { homedir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { expandHome } from './readable-home.ts'

it.each([
  ['~', homedir()],
  ['~/a', join(homedir(), 'a')],
  ['~\\a', join(homedir(), '\\a')],
  ['~a', join(process.cwd(), '~a')],
  ['a/~', join(process.cwd(), 'a/~')],
  ['a~/b', join(process.cwd(), 'a~/b')],
  ['/a/../b', '/b'],
])('%s is the folder %s', (home, expected) => {
  expect(expandHome(home)).toBe(expected)
})
