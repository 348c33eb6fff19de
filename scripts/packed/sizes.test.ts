/** What an install of each package costs. Printed as a table; fails above the figures reached. */
import { execFileSync } from 'node:child_process'
import { globSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, inject, it } from 'vitest'
import { PUBLISHED } from '../support/published.ts'

interface Size {
  /** Of the tarball. */
  readonly packedKb: number
  /** Of its files. */
  readonly unpackedKb: number
  readonly files: number
}

/** The most that each may have. Lower them when something gets smaller; raise them only for code that a task needs, and say so. With a margin of 3 %. */
const MOST: Readonly<Record<string, Size>> = {
  'ai-sdk': { packedKb: 17, unpackedKb: 63, files: 11 },
  cli: { packedKb: 1530, unpackedKb: 5660, files: 497 },
  'coding-agents': { packedKb: 648, unpackedKb: 2360, files: 141 },
  core: { packedKb: 818, unpackedKb: 2987, files: 409 },
  create: { packedKb: 24, unpackedKb: 78, files: 25 },
  langchain: { packedKb: 31, unpackedKb: 124, files: 19 },
  'openai-agents': { packedKb: 14, unpackedKb: 42, files: 10 },
  otel: { packedKb: 9, unpackedKb: 29, files: 10 },
  postgres: { packedKb: 41, unpackedKb: 155, files: 18 },
  recall: { packedKb: 56, unpackedKb: 160, files: 10 },
  sqlite: { packedKb: 12, unpackedKb: 41, files: 10 },
  testing: { packedKb: 81, unpackedKb: 315, files: 34 },
}

/** A promise. */
const CORE_BOUND: Pick<Size, 'unpackedKb' | 'files'> = { unpackedKb: 3000, files: 450 }

const measured: [name: string, size: Size][] = []

const sizeOf = (name: string): Size => {
  const folder = join(inject('packed').scratch, 'tarballs')
  const [tarball = ''] = globSync(`hermes-${name}-[0-9]*.tgz`, { cwd: folder })
  const path = join(folder, tarball)
  // The third column is the size of a file: `-rw-r--r-- 0/0 12345 1985-10-26 08:15 package/…`.
  const sizes = [...execFileSync('tar', ['-tvzf', path], { encoding: 'utf8' }).matchAll(/^\S+\s+\S+\s+(?:0\s+0\s+)?(\d+)\s.*package\//gm)]
  const bytes = sizes.reduce((sum, [, size]) => sum + Number(size), 0)
  return { packedKb: Math.ceil(statSync(path).size / 1000), unpackedKb: Math.ceil(bytes / 1000), files: sizes.length }
}

afterAll(() => {
  const rows = measured.map(([name, { packedKb, unpackedKb, files }]) =>
    [`@hermes/${name}`.padEnd(24), ...[packedKb, unpackedKb, files].map((each) => `${each}`.padStart(10))].join(''),
  )
  process.stdout.write(`${[`${'package'.padEnd(24)}    packed  unpacked     files (kB)`, ...rows].join('\n')}\n`)
})

it.each(PUBLISHED)('@hermes/%s is no larger than it was', (name) => {
  const size = sizeOf(name)
  measured.push([name, size])
  const most = MOST[name]
  expect(most, `'${name}' has no line in MOST: ${JSON.stringify(size)}`).toBeDefined()
  if (most === undefined) return
  const grown = Object.entries(most).filter(([part, figure]) => size[part as keyof Size] > figure)
  const hint = "More than before. Files of an older build may be in 'dist': remove it and build again"
  expect(
    grown.map(([part]) => `${part}: ${size[part as keyof Size]}`),
    hint,
  ).toEqual([])
})

it('@hermes/core takes at most 3 MB in at most 450 files', () => {
  const { unpackedKb, files } = sizeOf('core')
  expect(unpackedKb).toBeLessThanOrEqual(CORE_BOUND.unpackedKb)
  expect(files).toBeLessThanOrEqual(CORE_BOUND.files)
})
