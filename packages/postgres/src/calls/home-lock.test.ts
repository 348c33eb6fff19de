import { expect, it } from 'vitest'
import { homeOf } from './home-lock.ts'

it.each([
  ['homes/~none/ada', ['homes/~none/ada/h-1/a', 'homes/~none/ada/h-2/b/c'], ['homes/~none/ada/h-1/skills']],
  ['homes/~none/ada', [], ['homes/~none/ada']],
  ['', ['homes/~none/ada/h-1/a', 'homes/~none/bob/h-1/a'], []],
  ['', ['homes/~none/ada/h-1/a', 'owners/~none/ada.json'], []],
  ['', ['homes/~none/ada'], []],
  ['', ['homes/.upkeep.json'], []],
  ['', ['memories/MEMORY.md', 'other/homes/a/b/c'], []],
  ['', ['homes/~none/ada/h-1/a'], ['']],
  ['', [], ['homes/~none']],
])("the lock is that of '%s' for %j and the folders %j", (home, documents, folders) => {
  expect(homeOf({ documents: new Set(documents), folders })).toBe(home)
})
