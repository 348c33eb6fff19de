/** What an installed package holds: pages whose links lead somewhere, and maps whose sources are there. */
import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type PackedPackages, packPackages } from './packed-packages.ts'

let packages: PackedPackages
let core = ''

beforeAll(async () => {
  packages = await packPackages()
  const reader = await packages.reader()
  await reader.install(['@hermes/core'])
  core = join(reader.folder, 'node_modules/@hermes/core')
})

afterAll(() => packages?.remove())

const read = (file: string): string => readFileSync(join(core, file), 'utf8')

describe('the installed @hermes/core', () => {
  it('has every page that its pages link to', () => {
    const pages = globSync('docs/**/*.md', { cwd: core })
    expect(pages).toContain('docs/configuration.md')
    const dead = pages.flatMap((page) =>
      [...read(page).matchAll(/\]\(([^)\s#]+)[^)]*\)/g)].flatMap(([, target = '']) =>
        /^[a-z]+:/.test(target) || existsSync(join(core, dirname(page), target)) ? [] : [`${page} → ${target}`],
      ),
    )
    expect(dead).toEqual([])
  })

  it('has every page of docs/ that its README links to', () => {
    const named = [...read('README.md').matchAll(/\]\(\.\.\/\.\.\/(docs\/[^)#]+)/g)].map(([, page = '']) => page)
    expect(named.length).toBeGreaterThan(3)
    expect(named.filter((page) => !existsSync(join(core, page)))).toEqual([])
  })

  it('has the sources that its maps name, for code and for types, in both builds', () => {
    const maps = globSync('dist/**/*.map', { cwd: core })
    for (const kind of [
      /^dist\/esm\/.*\.js\.map$/,
      /^dist\/esm\/.*\.d\.ts\.map$/,
      /^dist\/cjs\/.*\.js\.map$/,
      /^dist\/cjs\/.*\.d\.ts\.map$/,
    ])
      expect(maps.some((map) => kind.test(map))).toBe(true)
    const lost = maps.flatMap((map) => {
      const { sources }: { sources: readonly string[] } = JSON.parse(read(map))
      return sources.filter((source) => !existsSync(join(core, dirname(map), source))).map((source) => `${map} → ${source}`)
    })
    expect(lost).toEqual([])
  })
})
