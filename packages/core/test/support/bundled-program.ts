import { renameSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildSync } from 'esbuild'

const CORE = fileURLToPath(new URL('../..', import.meta.url))

/**
 * A program or module for the processes that tests start, with all it imports in one file, which Node loads in a quarter of the time.
 * Inside the package, so that packages such as koffi are found as from the sources. Returns the path.
 */
export const bundledProgram = (source: URL): string => {
  const bundle = join(CORE, 'node_modules/.cache/programs', `${basename(fileURLToPath(source), '.ts')}.mjs`)
  // Several test files may bundle the same program at the same time.
  const own = `${bundle}.${process.pid}`
  const banner = { js: "import { createRequire as $createRequire } from 'node:module'; const require = $createRequire(import.meta.url);" }
  buildSync({ entryPoints: [fileURLToPath(source)], outfile: own, bundle: true, platform: 'node', format: 'esm', target: 'node24', banner })
  renameSync(own, bundle)
  return bundle
}
