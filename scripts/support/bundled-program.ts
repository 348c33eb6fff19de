import { existsSync, renameSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { buildSync } from 'esbuild'

const packageOf = (folder: string): string => (existsSync(join(folder, 'package.json')) ? folder : packageOf(dirname(folder)))

const bundles = new Map<string, string>()

/**
 * A program or module for the processes that tests start, with all it imports in one file, which Node loads in a quarter of the time.
 * Inside the package of the source, so that packages such as koffi are found as from the sources. Returns the path.
 */
export const bundledProgram = (source: URL): string => {
  const file = fileURLToPath(source)
  const known = bundles.get(file)
  if (known !== undefined) return known
  const folder = packageOf(dirname(file))
  const name = relative(folder, file).replace(/\.ts$/, '').replaceAll(/[\\/]/g, '-')
  const bundle = join(folder, 'node_modules/.cache/programs', `${name}.mjs`)
  // Several processes may bundle the same program at the same time.
  const own = `${bundle}.${process.pid}`
  const banner = { js: "import { createRequire as $createRequire } from 'node:module'; const require = $createRequire(import.meta.url);" }
  buildSync({
    entryPoints: [file],
    outfile: own,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node24',
    banner,
    // Optional, and not installed.
    external: ['pg-native'],
    logLevel: 'error',
  })
  renameSync(own, bundle)
  bundles.set(file, bundle)
  return bundle
}

/** URL of a `bundledProgram`, to import it. */
export const bundledModule = (source: URL): string => pathToFileURL(bundledProgram(source)).href
