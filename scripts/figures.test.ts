/**
 * Figures of benchmarks in README and docs are in the result files. `<!-- figures: poisoning-suite -->` before a block (up to the next blank line) names the files
 * of `benchmarks/results` that hold each of its numbers, perhaps with more decimals.
 */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const ROOT = join(import.meta.dirname, '..')
const PAGES = ['README.md', ...globSync('{docs,packages/*}/*.md', { cwd: ROOT })]
  .filter((page) => !page.endsWith('CHANGELOG.md'))
  .toSorted()

/** Blocks with figures of a benchmark whose result is not kept yet, by page: how many. A kept result takes its line away from here. */
const WITHOUT_RESULT: Readonly<Record<string, number>> = {
  'docs/home.md': 1,
  'docs/measuring.md': 3,
  'docs/production.md': 2,
  'docs/security.md': 2,
}

interface Block {
  readonly where: string
  readonly page: string
  readonly text: string
  /** `undefined` without a mark. */
  readonly files: readonly string[] | undefined
}

const MARK = /^<!-- figures: ([\w, -]+) -->\n?/

const blocksOf = (page: string, content: string): readonly Block[] => {
  let mark: string | undefined
  return content.split(/\n\s*\n/).flatMap((raw, at): readonly Block[] => {
    const [, names = mark] = MARK.exec(raw.trimStart()) ?? []
    const text = raw.trimStart().replace(MARK, '')
    mark = text === '' ? names : undefined
    return text === '' ? [] : [{ where: `${page}, block ${at + 1}`, page, text, files: names?.split(', ') }]
  })
}

/** Without commands, links and names of the columns' files, whose digits are no figures. */
const numbersIn = (text: string): readonly string[] =>
  text
    .replace(/\b\d{1,2} (?:January|February|March|April|May|June|July|August|September|October|November|December)(?: \d{4})?\b/g, '')
    .replace(/`[^`]*`|\]\([^)]*\)/g, '')
    .replace(/(?<=\d),(?=\d{3})/g, '')
    .match(/(?<![\w.])\d+(?:\.\d+)?(?![\w.]*\w)/g) ?? []

const known = (file: string): readonly number[] => {
  const { blocks }: { readonly blocks: readonly string[] } = JSON.parse(
    readFileSync(join(ROOT, 'benchmarks/results', `${file}.json`), 'utf8'),
  )
  return numbersIn(blocks.join('\n')).map(Number)
}

const missingIn = (text: string, held: readonly number[]): readonly string[] =>
  numbersIn(text).filter((number) => {
    const decimals = number.split('.')[1]?.length ?? 0
    return !held.some((each) => each.toFixed(decimals) === number)
  })

const blocks = PAGES.flatMap((page) => blocksOf(page, readFileSync(join(ROOT, page), 'utf8')))

it('holds every figure of a marked block in the result files that it names', () => {
  const marked = blocks.filter(({ files }) => files !== undefined)
  expect(marked.length).toBeGreaterThan(0)
  const missing = marked.flatMap(({ where, text, files = [] }) =>
    missingIn(text, files.flatMap(known)).map((number) => `${where}: ${number} is in none of ${files.join(', ')}`),
  )
  expect(missing).toEqual([])
})

it('marks each block that names a benchmark beside a figure', () => {
  const unmarked: Record<string, number> = {}
  for (const { page, text, files } of blocks)
    if (files === undefined && /`[^`]*\bbench [a-z]/.test(text) && numbersIn(text).length > 0) unmarked[page] = (unmarked[page] ?? 0) + 1
  expect(unmarked).toEqual(WITHOUT_RESULT)
})

it('notices a figure that the file does not hold, and rounds as a reader does', () => {
  expect(missingIn('| 1,032 | 97.4 % | 12 |', [1032, 97.4, 11.6])).toEqual([])
  expect(missingIn('| 1,033 | 97.5 % | `bench 4` |', [1032, 97.4])).toEqual(['1033', '97.5'])
  expect(blocksOf('p', '<!-- figures: a, b -->\n\n| 1 |\n\ntext 2')).toMatchObject([{ files: ['a', 'b'] }, { files: undefined }])
})
