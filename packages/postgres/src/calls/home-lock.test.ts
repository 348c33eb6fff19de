import { expect, it } from 'vitest'
import { homeOf } from './home-lock.ts'

it.each([
  ['homes/~none/ada', ['homes/~none/ada/a', 'homes/~none/ada/b/c'], ['homes/~none/ada/skills']],
  ['homes/~none/ada', [], ['homes/~none/ada']],
  ['', ['homes/~none/ada/a', 'homes/~none/bob/a'], []],
  ['homes/~none/ada', ['homes/~none/ada/a', 'owners/~none/ada.json'], []],
  ['homes/~none/ada', ['owners/~none/ada.json'], ['homes/~none/ada']],
  ['', ['homes/~none/ada/a', 'owners/~none/bob.json'], []],
  ['', ['owners/~none/ada.json/x'], []],
  ['', ['owners/~none/ada'], []],
  ['', ['homes/~none/ada'], []],
  ['', ['homes/.upkeep.json'], []],
  ['', ['memories/MEMORY.md', 'other/homes/a/b/c'], []],
  ['', ['homes/~none/ada/a'], ['']],
  ['', [], ['homes/~none']],
])("the lock is that of '%s' for %j and the folders %j", (home, documents, folders) => {
  expect(homeOf({ documents: new Set(documents), folders })).toBe(home)
})
