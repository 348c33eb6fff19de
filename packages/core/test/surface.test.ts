/** The public names of @hermes/core: how many, and that each is used. What they are is in `api/`, which `scripts/api.test.ts` checks. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'

const ROOT = join(import.meta.dirname, '../../..')
const CORE = 'packages/core'

const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8')

/** Names that an entry exports, types included, in the order of the file. */
const namesOf = (path: string): readonly string[] =>
  [...read(path).matchAll(/^export (?:type )?\{([^}]*)\}/gm)].flatMap(([, names = '']) =>
    names
      .split(',')
      .map((name) => name.replace('type ', '').trim())
      .filter((name) => name !== ''),
  )

const entries = Object.fromEntries(
  readdirSync(join(ROOT, CORE, 'src/entries')).map((file) => [file.replace('.ts', ''), namesOf(`${CORE}/src/entries/${file}`)]),
)

/** Generated: they name everything that is public, or repeat the pages. */
const LISTS = /^(?:docs\/reference|packages\/core\/docs|packages\/[^/]+\/api)$/

const filesBelow = (folder: string): readonly string[] =>
  readdirSync(join(ROOT, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`
    if (entry.isDirectory())
      return ['node_modules', 'dist', '.next', 'decisions'].includes(entry.name) || LISTS.test(path) ? [] : filesBelow(path)
    return /\.(?:tsx?|mjs|md)$/.test(entry.name) ? [path] : []
  })

const wordsOf = (path: string): readonly string[] => read(path).match(/\w+/g) ?? []

describe('the public surface of core', () => {
  it('has at most 60 names in its main entry', () => {
    expect(namesOf(`${CORE}/src/index.ts`).length).toBeLessThanOrEqual(60)
  })

  it('offers every name at one place only', () => {
    const all = [...namesOf(`${CORE}/src/index.ts`), ...Object.values(entries).flat()]
    expect(all.filter((name, index) => all.indexOf(name) !== index)).toEqual([])
  })

  it('lists every entry in package.json', () => {
    const { exports } = JSON.parse(read(`${CORE}/package.json`))
    const others = ['.', './file-system', './package.json']
    expect(Object.keys(exports).sort()).toEqual([...Object.keys(entries).map((name) => `./${name}`), ...others].sort())
  })

  it('has no name that neither a package, an example, a benchmark nor a page uses, unless it is the type of something in core', () => {
    const files = ['packages', 'examples', 'benchmarks', 'docs'].flatMap(filesBelow)
    const outside = files.filter((path) => !path.startsWith(`${CORE}/src`) && !path.startsWith(`${CORE}/test`))
    const words = new Set([...outside, 'README.md'].flatMap(wordsOf))
    const inside = files
      .filter((path) => path.startsWith(`${CORE}/src`) && !/\/(?:entries|index\.ts|[^/]+\.test\.ts)/.test(path))
      .flatMap(wordsOf)
    const isNamedByOther = (name: string): boolean => inside.indexOf(name) !== inside.lastIndexOf(name)
    const unused = [...namesOf(`${CORE}/src/index.ts`), ...Object.values(entries).flat()].filter((name) => !words.has(name))
    expect(unused.filter((name) => !(/^[A-Z][a-z]/.test(name) && isNamedByOther(name)))).toEqual([])
  })
})
