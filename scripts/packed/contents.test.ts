/** What the package of core holds: pages whose links lead somewhere, and maps whose sources are there. */
import { execFileSync } from 'node:child_process'
import { existsSync, globSync, mkdtempSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { beforeAll, describe, expect, inject, it } from 'vitest'

let core = ''

beforeAll(() => {
  const { scratch } = inject('packed')
  const [tarball = ''] = globSync('hermes-core-*.tgz', { cwd: join(scratch, 'tarballs') })
  const folder = mkdtempSync(join(scratch, 'contents-'))
  execFileSync('tar', ['-xzf', join(scratch, 'tarballs', tarball), '-C', folder])
  core = join(folder, 'package')
})

const read = (file: string): string => readFileSync(join(core, file), 'utf8')

describe('the packed @hermes/core', () => {
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
