/** The sizes of the folders: none grows unseen. */
import { expect, it } from 'vitest'
import { codeLinesIn, measureSizes, readReached, tooLargeIn } from './sizes.ts'

it('counts lines of code, without comments and blank lines', () => {
  expect(codeLinesIn("/** One\n * two */\n\n// three\nconst a = 1 // four\n  /* five */\nexport const b = '/*'\n")).toBe(2)
})

it('says which folder is too large, or new', () => {
  const reached = { a: [100, 10], b: [100, 10] } as const
  expect(tooLargeIn({ a: [105, 10], b: [106, 10], c: [1, 1] }, reached)).toEqual([
    expect.stringContaining('b has 106 lines in 10 files, at most 105 in 11'),
    expect.stringContaining('c is new'),
  ])
})

it('finds no folder that is more than 5 % above what was reached', () => {
  const sizes = measureSizes()
  expect(tooLargeIn(sizes, readReached())).toEqual([])
  expect(Object.keys(readReached()).filter((folder) => !(folder in sizes))).toEqual([])
})
