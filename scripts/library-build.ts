/** A plugin for the builds: puts a hash of the sources of core in the place of `LIBRARY_BUILD`, so that what one build has derived and stored is not taken by another. */
import { createHash } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const CORE = join(import.meta.dirname, '../packages/core')
const MODULE = /[\\/]core[\\/]src[\\/]shared[\\/]library-build\.ts$/
const CONSTANT = "'sources'"

const hashOfSources = (): string => {
  const hash = createHash('sha256')
  for (const path of globSync('src/**/*.ts', { cwd: CORE }).sort())
    if (!path.endsWith('.test.ts')) hash.update(path.replaceAll('\\', '/')).update(readFileSync(join(CORE, path)))
  return hash.digest('hex').slice(0, 16)
}

export const libraryBuild = () => ({
  name: 'library-build',
  transform(code: string, id: string) {
    if (!MODULE.test(id)) return undefined
    if (!code.includes(CONSTANT)) throw new Error(`'${id}' has no ${CONSTANT} to put the hash of the sources in place of.`)
    // The same lines, so the map of the module stays right.
    return { code: code.replace(CONSTANT, `'${hashOfSources()}'`), map: null }
  },
})
