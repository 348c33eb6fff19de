/**
 * Figures of benchmarks in README and docs are in the result files of `benchmarks/results`. A section from `<!-- begin growth-all -->` to `<!-- end growth-all -->` is
 * what the file has as `page`, which `bench … --save` writes there. `<!-- figures: poisoning-suite -->` before a block (up to the next blank line) names the files that
 * hold each of its numbers, perhaps with more decimals. Limits and settings are no figures: a number with a unit that was not measured is written as code.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { fillSections, PAGES, readPage, sectionsIn, withoutSections } from '../benchmarks/pages.ts'
import { fingerprintOf } from '../benchmarks/peers/report/charts.ts'
import type { LineChart } from '../benchmarks/report.ts'

const RESULTS = join(import.meta.dirname, '../benchmarks/results')

interface Kept {
  readonly blocks: readonly string[]
  readonly page?: string
  readonly chart?: LineChart
}

/** By the name of the file. That of the peers has another form, and `peers-page.test.ts`. */
const kept = new Map(
  readdirSync(RESULTS)
    .map((file) => file.replace('.json', ''))
    .filter((name) => name !== 'peers')
    .map((name): [string, Kept] => [name, JSON.parse(readFileSync(join(RESULTS, `${name}.json`), 'utf8'))]),
)

interface Block {
  readonly where: string
  readonly text: string
  /** `undefined` without a mark. */
  readonly files: readonly string[] | undefined
}

const MARK = /^<!-- figures: ([\w, -]+) -->\n?/

/** Without programs and their output, and without sections. */
const blocksOf = (page: string, content: string): readonly Block[] => {
  let mark: string | undefined
  return withoutSections(content)
    .replace(/^```.*?^```/gms, 'A program.')
    .split(/\n\s*\n/)
    .flatMap((raw): readonly Block[] => {
      const [, names = mark] = MARK.exec(raw.trimStart()) ?? []
      const text = raw.trimStart().replace(MARK, '')
      mark = text === '' ? names : undefined
      return text === '' ? [] : [{ where: `${page}: ${text.slice(0, 60)}`, text, files: names?.split(', ') }]
    })
}

/** Without commands, links and names of the columns' files, whose digits are no figures. */
const withoutCode = (text: string): string => text.replace(/`[^`]*`|\]\([^)]*\)/g, '')

const numbersIn = (text: string): readonly string[] =>
  withoutCode(text)
    .replace(/\b\d{1,2} (?:January|February|March|April|May|June|July|August|September|October|November|December)(?: \d{4})?\b/g, '')
    .replace(/(?<=\d),(?=\d{3})/g, '')
    .match(/(?<![\w.])\d+(?:\.\d+)?(?![\w.]*\w)/g) ?? []

/** Times, sizes, shares and counts out of a number: what a benchmark measures. */
const MEASURED = /\d\s?(?:%|×|µs|ms|s|milliseconds|[kKMG]i?B|tokens)(?!\w)|\b\d[\d,.]* (?:of \d|times\b)/

const missingIn = (text: string, held: readonly number[]): readonly string[] =>
  numbersIn(text).filter((number) => {
    const decimals = number.split('.')[1]?.length ?? 0
    return !held.some((each) => each.toFixed(decimals) === number)
  })

const blocks = PAGES.flatMap((page) => blocksOf(page, readPage(page)))

it('holds every figure of a marked block in the result files that it names', () => {
  const marked = blocks.filter(({ files }) => files !== undefined)
  expect(marked.length).toBeGreaterThan(0)
  const known = (file: string) => numbersIn(kept.get(file)?.blocks.join('\n') ?? '').map(Number)
  const missing = marked.flatMap(({ where, text, files = [] }) =>
    missingIn(text, files.flatMap(known)).map((number) => `${where}: ${number} is in none of ${files.join(', ')}`),
  )
  expect(missing).toEqual([])
})

it('shows in each section what the result file says', () => {
  for (const page of PAGES)
    expect(
      fillSections(readPage(page), (name) => kept.get(name)?.page),
      page,
    ).toBe(readPage(page))
  const shown = new Set(PAGES.flatMap((page) => sectionsIn(readPage(page))))
  expect([...kept].filter(([name, { page }]) => page !== undefined && !shown.has(name))).toEqual([])
})

it('shows charts that were drawn from the results', () => {
  const text = PAGES.map(readPage).join('\n')
  for (const [name, { chart }] of kept) {
    if (chart === undefined) continue
    const image = `images/bench-${name}.svg`
    expect(text).toContain(`(${image})`)
    const svg = readFileSync(join(RESULTS, '../../docs', image), 'utf8')
    expect(svg, 'Draw it anew: bench:peers -- --page').toContain(`data ${fingerprintOf(chart)}`)
    for (const line of chart.lines) expect(svg).toContain(`>${line.name}<`)
  }
})

/** Its numbers with a unit are bounds, each with the test that holds it. */
const BOUNDS = 'docs/promises.md'

const isUnheld = ({ text, files }: Block): boolean =>
  files === undefined && (MEASURED.test(withoutCode(text)) || (/`[^`]*\bbench [a-z]/.test(text) && numbersIn(text).length > 0))

it('has no figure outside of a marked block or a section', () => {
  expect(blocks.filter((block) => isUnheld(block) && !block.where.startsWith(BOUNDS)).map(({ where }) => where)).toEqual([])
})

it('notices a figure that the file does not hold, and rounds as a reader does', () => {
  expect(missingIn('| 1,032 | 97.4 % | 12 |', [1032, 97.4, 11.6])).toEqual([])
  expect(missingIn('| 1,033 | 97.5 % | `bench 4` |', [1032, 97.4])).toEqual(['1033', '97.5'])
  expect(blocksOf('p', '<!-- figures: a, b -->\n\n| 1 |\n\ntext 2')).toMatchObject([{ files: ['a', 'b'] }, { files: undefined }])
})

it('notices a figure without a result, and leaves limits alone', () => {
  const unheld = (content: string) => blocksOf('p', content).filter(isUnheld).length
  for (const text of [
    'It takes 12 ms.',
    'About 1.6 kB each.',
    'lost: 0 of 355',
    '3 % more',
    '| 2.5 × |',
    '1.6 times as long',
    '`bench names` has 5',
  ])
    expect(unheld(text), text).toBe(1)
  for (const text of [
    'At most `64 MB`.',
    'After 30 days.',
    '<!-- figures: a -->\n12 ms',
    '```\n12 ms\n\n13 ms\n```',
    '`bench names` has some',
  ])
    expect(unheld(text), text).toBe(0)
  expect(unheld('<!-- begin a-b -->\n\n12 ms\n\n13 ms\n\n<!-- end a-b -->')).toBe(0)
  expect(fillSections('<!-- begin a-b -->\n\n12 ms\n\n<!-- end a-b -->', () => '$1 ms')).toBe(
    '<!-- begin a-b -->\n\n$1 ms\n\n<!-- end a-b -->',
  )
})
