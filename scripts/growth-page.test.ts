/** docs/growth.md and its charts show what `benchmarks/growth/results.json` and `benchmarks/soak/results.json` hold, and nothing else. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Usage } from '../benchmarks/growth/counted-storage.ts'
import { fitExponent } from '../benchmarks/growth/fit-exponent.ts'
import { fitTime } from '../benchmarks/growth/measure-axis.ts'
import { drawPanels, fingerprintOf } from '../benchmarks/report/draw-panels.ts'
import { fillSections } from '../benchmarks/report/fill-sections.ts'
import { growthOf } from '../benchmarks/report/growth-report.ts'
import { picturesOf, readResults, sectionsOf } from '../benchmarks/report/write-page.ts'
import { judgeSoak } from '../benchmarks/soak/judge-soak.ts'

const ROOT = join(import.meta.dirname, '..')
const read = (...path: readonly string[]): string => readFileSync(join(ROOT, ...path), 'utf8')

const results = await readResults()
const page = read('docs/growth.md')

describe('the page on growth', () => {
  it('shows the tables of the results', () => {
    expect(fillSections(page, sectionsOf(results).growth)).toBe(page)
  })

  it('would not be the same with another figure', () => {
    const [first, ...others] = results.growth.lines
    if (!first) throw new TypeError('Nothing was measured.')
    const growth = { ...results.growth, lines: [{ ...first, exponent: first.exponent + 1 }, ...others] }
    expect(fillSections(page, sectionsOf({ ...results, growth }).growth)).not.toBe(page)
    const [inFiles, ...onOthers] = results.soak
    if (!inFiles) throw new TypeError('Nothing was played.')
    const soak = [{ ...inFiles, wrong: ['the heap grows'] }, ...onOthers]
    expect(fillSections(page, sectionsOf({ ...results, soak }).growth)).not.toBe(page)
  })

  it('shows charts that were drawn from the results', () => {
    for (const [name, picture] of Object.entries(picturesOf(results))) {
      const svg = read(`docs/images/${name}.svg`)
      expect(page).toContain(`images/${name}.svg`)
      expect(svg).toContain(`data ${fingerprintOf(picture)}`)
      for (const { title, lines } of picture.panels)
        for (const text of [title, ...lines.map((line) => line.name)]) expect(svg).toContain(`>${text}<`)
    }
  })

  it('shows a soak that held, and the largest sizes', () => {
    expect(results.soak.map(({ name, samples, wrong }) => [name, samples.at(-1)?.turns, wrong])).toEqual([
      ['In files', 20_000, []],
      ['On PostgreSQL', 20_000, []],
    ])
    const largest = new Map(results.growth.lines.map(({ axis, points }) => [axis, points.at(-1)?.size]))
    expect([...largest]).toEqual([
      ['turns of a session', 10_000],
      ['sessions', 10_000],
      ['entries', 400],
      ['archived entries', 10_000],
      ['skills', 10_000],
      ['journal records', 1_000_000],
      ['owners', 100_000],
    ])
  })

  it('shows verdicts and exponents that follow from what was measured', () => {
    for (const { samples, perTurn, limit } of results.soak) expect(judgeSoak(samples, [])).toEqual({ perTurn, limit, wrong: [] })
    for (const { points, exponent, lastStep } of results.growth.lines)
      expect([exponent, lastStep]).toEqual([fitTime(points), fitTime(points.slice(-2))])
  })

  it('shows no operation whose calls or bytes grow more than linearly', () => {
    const amounts = { calls: ({ calls }: Usage) => calls, bytes: ({ read, written }: Usage) => read + written }
    const beyond = results.growth.lines.flatMap(({ axis, operation, points }) =>
      Object.entries(amounts)
        .map(
          ([what, amountOf]) =>
            [what, fitExponent(points.slice(-2).map((point) => ({ size: point.size, amount: amountOf(point) })))] as const,
        )
        .filter(([, exponent]) => !(exponent < 1.01))
        .map(([what, exponent]) => `${axis}, ${operation}: ${what} ${exponent.toFixed(2)}`),
    )
    expect(beyond).toEqual([])
  })

  it('refuses a page without the place for a table', () => {
    expect(() => fillSections('# Empty', { growth: 'a table' })).toThrow('The page has no section growth')
  })
})

describe('the exponent', () => {
  const sizes = [10, 100, 1_000]

  it.each([0, 1, 2, -1])('is %d for that power of the size', (power) => {
    expect(fitExponent(sizes.map((size) => ({ size, amount: 3 * size ** power })))).toBeCloseTo(power, 9)
  })

  it('is the slope of the best line through all points', () => {
    expect(fitExponent([10, 100, 1_000].map((size, index) => ({ size, amount: [1, 1, 100][index] ?? 1 })))).toBeCloseTo(1, 9)
  })

  it('is 0 for a single size', () => {
    expect(fitExponent([{ size: 10, amount: 5 }])).toBe(0)
  })

  it('is a word, by how much it grows', () => {
    expect([0.1, 0.5, 1, 1.5].map(growthOf)).toEqual(['constant', 'less than linear', 'linear', 'more than linear'])
  })
})

it('draws a picture of its own for other values', () => {
  const panel = {
    title: 'Things',
    unit: 'ms',
    scale: 'linear' as const,
    lines: [{ name: 'a line', points: [[1, 2] as const, [3, 4] as const] }],
  }
  const picture = { title: 'A picture', panels: [panel] }
  const other = { title: 'A picture', panels: [{ ...panel, lines: [{ name: 'a line', points: [[1, 2] as const, [3, 5] as const] }] }] }
  expect(drawPanels(picture)).toContain(`data ${fingerprintOf(picture)}`)
  expect(fingerprintOf(other)).not.toBe(fingerprintOf(picture))
})
