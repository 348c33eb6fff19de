/** Builds dist: the command in few files with all it needs, so that it starts quickly, and the licences of what is bundled beside them. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'rolldown'

const FOLDER = import.meta.dirname
const { dependencies, optionalDependencies } = JSON.parse(readFileSync(join(FOLDER, 'package.json'), 'utf8'))

/** What stays a package of its own: the providers of models, which few commands need, and native code. */
const external = Object.keys({ ...dependencies, ...optionalDependencies })

/** The package that a bundled file belongs to; `undefined` for our own. */
const packageOf = (moduleId) => {
  const [inPackage] = /^.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+/.exec(moduleId) ?? []
  return inPackage
}

const licenceOf = (folder) => {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const files = readdirSync(folder).filter((file) => /^(licen[cs]e|notice|copying)/i.test(file))
  // A licence that asks to be kept and cannot be kept stops the build.
  if (files.length === 0) throw new Error(`${name} ${version} is bundled, but there is no licence in '${folder}'.`)
  const texts = files.map((file) => readFileSync(join(folder, file), 'utf8').trim())
  return { name, text: `${name} ${version} (${license})\n\n${texts.join('\n\n')}\n` }
}

/** The parser measures with the tables' own measure: the package it would bring makes a table of all emoji at every start. */
const oneTextWidth = {
  name: 'one-text-width',
  resolveId: (id) => (id === 'string-width' ? '\0string-width' : null),
  load: (id) =>
    id === '\0string-width' ? `export { textWidth as default } from ${JSON.stringify(join(FOLDER, 'src/terminal/text-width.ts'))}` : null,
}

const { output } = await build({
  plugins: [oneTextWidth],
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
          test: /[\\/]core[\\/]dist[\\/]esm[\\/](?:shared|storage|config|usage|custody|skills)[\\/]|[\\/]node_modules[\\/](?:zod|yaml)[\\/]/,
        },
      ],
    },
    // Half the bytes to read and to parse; names stay, so that an error still tells where it is from.
    minify: { compress: true, mangle: false, codegen: { removeWhitespace: true } },
  },
})

const packages = new Set(output.flatMap((chunk) => (chunk.type === 'chunk' ? chunk.moduleIds.map(packageOf) : [])))
packages.delete(undefined)
const licences = [...packages].map(licenceOf).sort((a, b) => (a.name < b.name ? -1 : 1))
const head = 'The hermes command contains the packages below, each under its own licence.\n'
writeFileSync(join(FOLDER, 'dist/THIRD-PARTY.txt'), [head, ...licences.map(({ text }) => text)].join(`\n${'-'.repeat(80)}\n\n`))
