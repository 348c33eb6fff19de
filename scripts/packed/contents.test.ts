/** Contents of the packages: skills for coding agents, no source maps, and of core pages with working links, and licences. */
import { execFileSync } from 'node:child_process'
import { existsSync, globSync, mkdtempSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { beforeAll, describe, expect, inject, it } from 'vitest'
import { PUBLISHED } from '../support/published.ts'

let core = ''

beforeAll(() => {
  const { scratch } = inject('packed')
  const [tarball = ''] = globSync('hermes-core-*.tgz', { cwd: join(scratch, 'tarballs') })
  const folder = mkdtempSync(join(scratch, 'contents-'))
  execFileSync('tar', ['-xzf', join(scratch, 'tarballs', tarball), '-C', folder])
  core = join(folder, 'package')
})

const read = (file: string): string => readFileSync(join(core, file), 'utf8')

it.each(['core', 'ai-sdk', 'langchain'])('the packed @hermes/%s has its skill for coding agents', (name) => {
  const folder = join(inject('packed').scratch, 'tarballs')
  const [tarball = ''] = globSync(`hermes-${name}-*.tgz`, { cwd: folder })
  const files = execFileSync('tar', ['-tzf', join(folder, tarball)], { encoding: 'utf8' }).split('\n')
  expect(files).toContain(`package/skills/hermes-${name}/SKILL.md`)
})

it.each(PUBLISHED)('the packed @hermes/%s has no source maps, and no file that names one', (name) => {
  const { scratch } = inject('packed')
  const [tarball = ''] = globSync(`hermes-${name}-[0-9]*.tgz`, { cwd: join(scratch, 'tarballs') })
  const folder = mkdtempSync(join(scratch, 'maps-'))
  execFileSync('tar', ['-xzf', join(scratch, 'tarballs', tarball), '-C', folder])
  const files = globSync('**/*.{js,ts,map}', { cwd: folder })
  expect(files.length).toBeGreaterThan(0)
  const naming = files.filter((file) => file.endsWith('.map') || /^\/\/# sourceMappingURL/m.test(readFileSync(join(folder, file), 'utf8')))
  expect(naming).toEqual([])
})

describe('the packed @hermes/core', () => {
  it('has nothing of the test kits, which are @hermes/testing', () => {
    const files = globSync('**/*', { cwd: core })
    expect(files).toContain('dist/esm/index.js')
    expect(files.filter((file) => /testing\/|conformance|vitest|(?:writer|claimer)-main/.test(file))).toEqual([])
    const { exports, dependencies, peerDependencies } = JSON.parse(read('package.json'))
    expect(Object.keys(exports).filter((entry) => entry.includes('testing'))).toEqual([])
    expect({ ...dependencies, ...peerDependencies }).toEqual({})
  })

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

  it('names the licence of each package whose code it contains', () => {
    expect(read('dist/THIRD-PARTY.txt').match(/^\S+ [\d.]+ \(.*\)$/gm)).toEqual([
      expect.stringMatching(/^modern-tar .*MIT/),
      expect.stringMatching(/^yaml .*ISC/),
      expect.stringMatching(/^zod .*MIT/),
    ])
  })
})
