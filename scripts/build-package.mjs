/**
 * Builds the package in the current folder twice: `dist/esm` with tsc, and from it `dist/cjs` for CommonJS programs. Types are the same text;
 * the package.json in `dist/cjs` makes both Node and TypeScript read that folder as CommonJS.
 */
import { execFileSync } from 'node:child_process'
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { build } from 'esbuild'

const ESM = 'dist/esm'
const CJS = 'dist/cjs'

/** CommonJS has no `import.meta`: these files get what it would say from their file name. */
const OWN_URL = 'import.meta.url'
const OWN_URL_IN_CJS = "'use strict'; const ownUrl = require('node:url').pathToFileURL(__filename).href;"

const filesIn = (folder, ending) =>
  readdirSync(folder, { recursive: true })
    .filter((file) => ending.test(file))
    .map((file) => join(folder, file))

const toCommonJs = (entryPoints, options) =>
  build({
    entryPoints,
    outdir: CJS,
    outbase: ESM,
    format: 'cjs',
    platform: 'node',
    target: 'node20',
    sourcemap: true,
    sourcesContent: false,
    ...options,
  })

rmSync('dist', { recursive: true, force: true })
execFileSync('tsc', ['-p', 'tsconfig.build.json'], { stdio: 'inherit' })

const modules = filesIn(ESM, /\.js$/)
const withOwnUrl = modules.filter((file) => readFileSync(file, 'utf8').includes(OWN_URL))
await toCommonJs(modules.filter((file) => !withOwnUrl.includes(file)))
await toCommonJs(withOwnUrl, { define: { [OWN_URL]: 'ownUrl' }, banner: { js: OWN_URL_IN_CJS } })

for (const file of filesIn(ESM, /\.d\.ts(?:\.map)?$/)) {
  const copy = join(CJS, file.slice(ESM.length))
  mkdirSync(dirname(copy), { recursive: true })
  copyFileSync(file, copy)
}
writeFileSync(join(CJS, 'package.json'), '{ "type": "commonjs" }\n')
