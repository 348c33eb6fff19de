/** Builds dist: the command and its dependencies bundled into few files, so that it starts fast, and the licences of what is bundled. */
import { copyFileSync, cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'rolldown'
import { FAMILIES } from '../../benchmarks/skills/families.ts'
import { libraryBuild } from '../../scripts/library-build.ts'
import { packageEntries } from '../../scripts/package-entries.ts'
import { thirdPartyLicences } from '../../scripts/third-party.ts'

const FOLDER = import.meta.dirname
const { peerDependencies, optionalDependencies } = JSON.parse(readFileSync(join(FOLDER, 'package.json'), 'utf8'))

/** Packages that are not bundled: model providers, which few commands need, and native code. */
const external = Object.keys({ ...peerDependencies, ...optionalDependencies }).filter((name) => name !== '@hermes/core')

/** Our own libraries are bundled from their sources: code that a verb does not need is not loaded with it, and no file is built twice. */
const sources = new Map(
  ['core', 'ai-sdk', 'coding-agents'].flatMap((library) => {
    const folder = join(FOLDER, '..', library)
    return packageEntries(folder).map(({ specifier, source }) => [specifier, join(folder, source)])
  }),
)

// Its build for Node cannot be bundled.
sources.set('jsonc-parser', join(FOLDER, '../coding-agents/node_modules/jsonc-parser/lib/esm/main.js'))

const ownSources = { name: 'own-sources', resolveId: (id) => sources.get(id) ?? null }

/** Replaces the package that the parser uses to measure text, which builds a table of all emoji at every start, by our own measure. */
const oneTextWidth = {
  name: 'one-text-width',
  resolveId: (id) => (id === 'string-width' ? '\0string-width' : null),
  load: (id) =>
    id === '\0string-width' ? `export { textWidth as default } from ${JSON.stringify(join(FOLDER, 'src/terminal/text-width.ts'))}` : null,
}

/** The families of `hermes eval skills`, which their reader takes from files beside it. */
const FAMILIES_FILE = join(FOLDER, '../../benchmarks/skills/families.ts')
const families = {
  name: 'families',
  load: (id) => (id === FAMILIES_FILE ? `export const FAMILIES = ${JSON.stringify(FAMILIES)}` : null),
}

const { output } = await build({
  plugins: [ownSources, oneTextWidth, families, libraryBuild()],
  cwd: FOLDER,
  input: { main: 'src/main.ts', model: 'src/model/choose-model.ts', provider: 'src/provider/load-provider.ts', inspector: '@hermes/ui' },
  external: (id) => external.some((name) => id === name || id.startsWith(`${name}/`)),
  platform: 'node',
  output: {
    dir: 'dist',
    format: 'esm',
    entryFileNames: '[name].js',
    // All files are in one folder, so package.json is one level up from each of them, as from the sources.
    chunkFileNames: '[name]-[hash].js',
    // What every start needs is one file. The bundler assigns the rest to the verbs.
    codeSplitting: {
      groups: [
        {
          name: 'start',
          test: /[\\/]cli[\\/]src[\\/](?!main|with-context|open-hermes|with-recall|complete-values)(?:[\w-]+\.ts|terminal[\\/](?!ask-first|edit-text))|[\\/]node_modules[\\/](?:yargs|cliui|y18n|escalade|get-caller-file|[\w-]*(?:ansi|width)[\w-]*|emoji-regex|picocolors)[\\/-]/,
        },
      ],
    },
    // Halves the bytes to read and parse; keeps names, so that stack traces stay readable.
    minify: { compress: true, mangle: false, codegen: { removeWhitespace: true } },
  },
})

/** Files of other packages that are in the inspector's page, which is bundled as text. */
const inPage = JSON.parse(readFileSync(join(FOLDER, '../ui/dist/bundled.json'), 'utf8')).map((id) => join(FOLDER, '../ui', id))

const licences = thirdPartyLicences([...output.flatMap((chunk) => (chunk.type === 'chunk' ? chunk.moduleIds : [])), ...inPage])
writeFileSync(join(FOLDER, 'dist/THIRD-PARTY.txt'), licences)
// They name only types of @hermes/core, which a host that mounts the inspector has installed.
copyFileSync(join(FOLDER, '../ui/dist/types/inspector.d.ts'), join(FOLDER, 'dist/inspector.d.ts'))
// What `hermes connect` copies into a coding agent.
cpSync(join(FOLDER, '../coding-agents/dist/plugins'), join(FOLDER, 'dist/plugins'), { recursive: true })
