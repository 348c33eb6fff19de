/** benchmarks/peers/README.md, docs/benchmarks.md and its charts show what `benchmarks/peers/results.json` holds, and nothing else. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { FIGURES, PEERS } from '../benchmarks/peers/peers.ts'
import { chartsOf, fingerprintOf } from '../benchmarks/peers/report/charts.ts'
import type { Results } from '../benchmarks/peers/report/results.ts'
import { summaryOf } from '../benchmarks/peers/report/summary.ts'
import { fillPage, outcomeOf, sectionsOf } from '../benchmarks/peers/report/tables.ts'

const ROOT = join(import.meta.dirname, '..')
const HOME = join(ROOT, 'benchmarks/peers')
const ADAPTERS = join(HOME, 'adapters')
const MOST_LINES = 80

const read = (...path: readonly string[]): string => readFileSync(join(ROOT, ...path), 'utf8')

const results: Results = JSON.parse(read('benchmarks/results/peers.json'))
const page = read('docs/benchmarks.md')
const tables = read('benchmarks/peers/README.md')

describe('the pages on peers', () => {
  it('show the tables of the results, of all figures', () => {
    expect(FIGURES).toEqual(expect.arrayContaining(Object.keys(results.figures)))
    for (const figure of FIGURES) expect(sectionsOf(results)).toHaveProperty(figure)
    expect(fillPage(tables, sectionsOf(results))).toBe(tables)
    expect(fillPage(page, summaryOf(results))).toBe(page)
  })

  it('would not be the same with another figure', () => {
    const prefix = outcomeOf(results.figures.prefix?.outcomes ?? {}, 'ours')
    if (!results.figures.prefix || !prefix) throw new TypeError('Hermes was not measured.')
    const outcomes = { ...results.figures.prefix.outcomes, ours: { ...prefix, uncached: prefix.uncached + 1 } }
    const changed = { ...results, figures: { ...results.figures, prefix: { ...results.figures.prefix, outcomes } } }
    expect(fillPage(tables, sectionsOf(changed))).not.toBe(tables)
    expect(fillPage(page, summaryOf(changed))).not.toBe(page)
  })

  it('show charts that were drawn from the results', () => {
    for (const [name, chart] of Object.entries(chartsOf(results))) {
      const svg = read(`docs/images/${name}.svg`)
      expect(page).toContain(`images/${name}.svg`)
      expect(svg).toContain(`data ${fingerprintOf(chart)}`)
      for (const { peer, label } of chart.bars) for (const text of [peer, label]) expect(svg).toContain(`>${text}<`)
    }
  })
})

describe('the adapters of peers', () => {
  it('are short enough to be corrected by those who know the peer', () => {
    const names = readdirSync(ADAPTERS).filter((name) => existsSync(join(ADAPTERS, name, 'package.json')))
    expect(names.sort()).toEqual(PEERS.map(({ name }) => name).sort())
    for (const name of names)
      for (const file of readdirSync(join(ADAPTERS, name)).filter((each) => each.endsWith('.ts')))
        expect(readFileSync(join(ADAPTERS, name, file), 'utf8').split('\n').length, `${name}/${file}`).toBeLessThanOrEqual(MOST_LINES)
  })

  it('were measured, if they were, in the versions that they install or in older ones, which the table names', () => {
    for (const { name, packages } of PEERS) {
      const { dependencies }: { dependencies: Record<string, string> } = JSON.parse(read('benchmarks/peers/adapters', name, 'package.json'))
      const installed = packages.filter((each) => !each.startsWith('@hermes/'))
      for (const each of installed) {
        expect(dependencies[each], `${name}: ${each}`).toMatch(/^\d+\.\d+\.\d+$/)
        const measured = results.versions[name]?.[each] ?? ''
        expect(measured.localeCompare(dependencies[each] ?? '', 'en', { numeric: true }), `${name}: ${each}`).toBeLessThanOrEqual(0)
        if (measured !== '') expect(tables).toContain(`${each} ${measured}`)
      }
    }
  })
})
