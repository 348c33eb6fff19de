/** The public API changes on purpose only: the report of each entry, with its types, is in the repository. */
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { apiReports, changedReports } from './api/report.ts'
import { IMPORTED } from './support/published.ts'

const reports = apiReports()

it('is what the reports say; if a change is meant, run `pnpm api --write` and commit it', () => {
  expect(IMPORTED.filter((name) => !reports.some(({ path }) => path.endsWith(`packages/${name}/api/index.api.md`)))).toEqual(['cli'])
  expect(changedReports(reports)).toEqual([])
})

it('names a report whose type changed', () => {
  const [first, ...others] = reports
  if (first === undefined) throw new Error('There is a report.')
  const changed = { ...first, text: first.text.replace(/: \w+/, ': never') }
  expect(changed.text).not.toBe(readFileSync(first.path, 'utf8'))
  expect(changedReports([changed, ...others])).toEqual(['packages/ai-sdk/api/index.api.md'])
})

it('shows types that an entry needs and does not export', () => {
  const hidden = reports.flatMap(({ text }) => text.split('## Named by these types, and not exported')[1] ?? [])
  expect(hidden.join()).toContain('interface ')
})
