/** The entries of a library and their sources, as `exports` in its package.json tells them: `dist/esm/a/b.js` comes from `src/a/b.ts`. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const SOURCE = /^\.\/dist\/esm\/(.*)\.js$/

export interface PackageEntry {
  /** As an importer writes it. */
  readonly specifier: string
  /** Of the built file within its build, without extension. */
  readonly path: string
  /** The source file, within the package. */
  readonly source: string
}

interface Manifest {
  readonly name: string
  readonly exports: Readonly<Record<string, string | { readonly import: { readonly default: string } }>>
}

/** `folder`: of the package. Throws for an entry that is not built from one source file. */
export const packageEntries = (folder: string): readonly PackageEntry[] => {
  const { name, exports }: Manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  return Object.entries(exports).flatMap(([subpath, target]) => {
    if (typeof target === 'string') return []
    const [, path] = SOURCE.exec(target.import.default) ?? []
    if (path === undefined) throw new Error(`'${target.import.default}' is not in dist/esm: the build cannot tell its source.`)
    return [{ specifier: `${name}${subpath.slice(1)}`, path, source: `src/${path}.ts` }]
  })
}
