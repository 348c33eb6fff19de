/** What the browser has to load. */
import { gzipSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { PAGE_FILES } from '#page'

const sizeOf = (names: readonly string[]): number => names.reduce((sum, name) => sum + gzipSync(PAGE_FILES[name]?.text ?? '').length, 0)

it('is at most 60 kB, gzipped, with everything; the code of charts is loaded with the ledger', () => {
  const names = Object.keys(PAGE_FILES)
  expect(sizeOf(names)).toBeLessThan(60_000)
  const first = names.filter((name) => PAGE_FILES['index.html']?.text.includes(name) || name === 'index.html')
  expect(sizeOf(first)).toBeLessThan(35_000)
})

it('has no script or style inside the page, and asks for nothing from elsewhere', () => {
  const html = PAGE_FILES['index.html']?.text ?? ''
  expect(html).not.toMatch(/<style|style=|<script(?![^>]*\bsrc=)|\son\w+=/i)
  expect(html).not.toMatch(/(?:src|href)="(?!\.\/)/)
})
