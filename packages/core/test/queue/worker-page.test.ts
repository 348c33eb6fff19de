/** docs/worker.md lists every option of `work()` and every number that it returns. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import type { WorkOptions, WorkReport } from '../../src/work-reviews.ts'

/** Do not compile if an option or a number is missing or does not exist. */
const OPTIONS: Record<keyof WorkOptions, true> = {
  once: true,
  signal: true,
  stopWithinMs: true,
  concurrency: true,
  leaseMs: true,
  pollMs: true,
  onReview: true,
}
const NUMBERS: Record<keyof WorkReport, true> = {
  reviewed: true,
  nothingDue: true,
  postponed: true,
  failed: true,
  inputTokens: true,
  outputTokens: true,
}

const page = readFileSync(join(import.meta.dirname, '../../../../docs/worker.md'), 'utf8')

it('lists every option', () => {
  const [, table = ''] = page.split('| option | default | what |')
  expect([...table.matchAll(/^\| `(\w+)` \|/gm)].map(([, name]) => name)).toEqual(Object.keys(OPTIONS))
})

it('lists every number of the report', () => {
  expect(page).toContain(`{ ${Object.keys(NUMBERS).join(', ')} }`)
})
