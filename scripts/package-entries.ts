/** The entries of a library and their source files, from `exports` in its package.json: `dist/esm/a/b.js` is built from `src/a/b.ts`. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const SOURCE = /^\.\/dist\/esm\/(.*)\.js$/

export interface PackageEntry {
  /** The specifier in an import statement. */
  readonly specifier: string
  /** Path of the built file within its build, without extension. */
  readonly path: string
  /** Path of the source file within the package. */
  readonly source: string
}

interface Manifest {
  readonly name: string
  readonly exports: Readonly<Record<string, string | { readonly import: { readonly default: string } }>>
}

/** `folder`: the folder of the package. Throws if an entry is not built from one source file. */
export const packageEntries = (folder: string): readonly PackageEntry[] => {
  const { name, exports }: Manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  return Object.entries(exports).flatMap(([subpath, target]) => {
    if (typeof target === 'string') return []
    const [, path] = SOURCE.exec(target.import.default) ?? []
    if (path === undefined) throw new Error(`'${target.import.default}' is not in dist/esm: the build cannot tell its source.`)
    return [{ specifier: `${name}${subpath.slice(1)}`, path, source: `src/${path}.ts` }]
  })
}
