/** Builds dist: the command in few files with all it needs, so that it starts quickly, and the licences of what is bundled beside them. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'rolldown'
import { packageEntries } from '../../scripts/package-entries.ts'
import { thirdPartyLicences } from '../../scripts/third-party.ts'

const FOLDER = import.meta.dirname
const { dependencies, optionalDependencies } = JSON.parse(readFileSync(join(FOLDER, 'package.json'), 'utf8'))

/** What stays a package of its own: the providers of models, which few commands need, and native code. */
const external = Object.keys({ ...dependencies, ...optionalDependencies })

/** Our own libraries come from their sources: what a verb does not need stays out of what it loads, and no file is built twice. */
const sources = new Map(
  ['core', 'ai-sdk'].flatMap((library) => {
    const folder = join(FOLDER, '..', library)
    return packageEntries(folder).map(({ specifier, source }) => [specifier, join(folder, source)])
  }),
)

const ownSources = { name: 'own-sources', resolveId: (id) => sources.get(id) ?? null }

/** The parser measures with the tables' own measure: the package it would bring makes a table of all emoji at every start. */
const oneTextWidth = {
  name: 'one-text-width',
  resolveId: (id) => (id === 'string-width' ? '\0string-width' : null),
  load: (id) =>
    id === '\0string-width' ? `export { textWidth as default } from ${JSON.stringify(join(FOLDER, 'src/terminal/text-width.ts'))}` : null,
}

const { output } = await build({
  plugins: [ownSources, oneTextWidth],
  cwd: FOLDER,
  input: { main: 'src/main.ts', model: 'src/model/choose-model.ts' },
  external: (id) => external.some((name) => id === name || id.startsWith(`${name}/`)),
  platform: 'node',
  output: {
    dir: 'dist',
    format: 'esm',
    entryFileNames: '[name].js',
    // All in one folder: package.json is one step up from each of them, as from the sources.
    chunkFileNames: '[name]-[hash].js',
    // Few files: what every start needs, and what every look at a home needs. The rest falls to the verbs by itself.
    codeSplitting: {
      groups: [
        {
          name: 'start',
          test: /[\\/]cli[\\/]src[\\/](?!main|with-context|open-hermes)(?:[\w-]+\.ts|terminal[\\/](?!confirm))|[\\/]node_modules[\\/](?:yargs|cliui|y18n|escalade|get-caller-file|[\w-]*(?:ansi|width)[\w-]*|emoji-regex|picocolors)[\\/-]/,
        },
        {
          name: 'home',
          test: /[\\/]core[\\/]src[\\/](?:shared|storage|config|usage|custody|skills)[\\/]|[\\/]node_modules[\\/](?:zod|yaml)[\\/]/,
        },
      ],
    },
    // Half the bytes to read and to parse; names stay, so that an error still tells where it is from.
    minify: { compress: true, mangle: false, codegen: { removeWhitespace: true } },
  },
})

const licences = thirdPartyLicences(output.flatMap((chunk) => (chunk.type === 'chunk' ? chunk.moduleIds : [])))
writeFileSync(join(FOLDER, 'dist/THIRD-PARTY.txt'), licences)
