import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { expect } from 'vitest'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const run = promisify(execFile)

/**
 * The imports of a built package that lead outside it, without types and late imports. Ignores imports of third parties among themselves.
 */
export const outsideImports = async (packageFolder: string, entry: string): Promise<readonly string[]> => {
  const dist = join(ROOT, packageFolder, 'dist/esm')
  const { stdout } = await run(process.execPath, [join(ROOT, 'scripts/trace-imports.mjs'), join(dist, entry)])
  const imports: readonly (readonly [string, string])[] = JSON.parse(stdout)
  const own = imports.filter(([importer]) => importer.startsWith(pathToFileURL(dist).href)).map(([, specifier]) => specifier)
  expect(imports.map(([, specifier]) => specifier)).toContain(pathToFileURL(join(dist, entry)).href)
  return [...new Set(own.filter((specifier) => !specifier.startsWith('.')))].sort()
}
