/**
 * Builds the library in the current folder twice: `dist/esm`, and `dist/cjs` for CommonJS programs. The entries are those of `exports` in
 * its package.json, and the programs that it starts itself (`*-main.ts`). Code that entries share, and code that is loaded with `import()`,
 * goes into chunks.
 */
import { copyFileSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { defineConfig, type UserConfig } from 'tsdown'
import { foldFacades } from './fold-facades.ts'
import { libraryBuild } from './library-build.ts'
import { packageEntries } from './package-entries.ts'
import { thirdPartyLicences } from './third-party.ts'

/** Packages that are bundled, reduced to the code that is used: `import 'zod'` alone loads 92 files. Any other package stays an import. */
const BUNDLED: Readonly<Record<string, readonly string[]>> = {
  '@hermes/core': ['modern-tar', 'yaml', 'zod'],
  '@hermes/coding-agents': ['jsonc-parser'],
}

const folder = process.cwd()
const { name }: { readonly name: string } = JSON.parse(readFileSync('package.json', 'utf8'))
const bundled = [...(BUNDLED[name] ?? [])]
/** Also matches the entries of the packages, such as `zod/mini`. */
const bundledEntries = bundled.map((each) => new RegExp(`^${each}(?:/|$)`))

const isBundled = (specifier: string): boolean => bundledEntries.some((each) => each.test(specifier))

const MAIN = 'src/index.ts'
/** The other entry that a start loads. Its modules are a file of their own too, or what is loaded later would import them from the entry, which would then export them. */
const FILES = 'src/storage/files/index.ts'

/** The most code that a small part may have, in the sources. */
const SMALL_CHARS = 2000

const programs = globSync('src/**/*-main.ts').map((source) => ({ path: source.slice('src/'.length, -'.ts'.length), source }))
const entry = Object.fromEntries([...packageEntries(folder), ...programs].map(({ path, source }) => [path, source]))

type ModuleInfo = {
  readonly code: string | null
  readonly importedIds: readonly string[]
  readonly dynamicallyImportedIds: readonly string[]
  readonly dynamicImporters: readonly string[]
} | null

/** The entries that load a module at once, by module id. */
const loadedAtOnce = new Map<string, Set<string>>()

const followImports = (id: string, from: string, info: (id: string) => ModuleInfo): void => {
  const entries = loadedAtOnce.get(id) ?? new Set()
  if (entries.has(from)) return
  loadedAtOnce.set(id, entries.add(from))
  for (const imported of info(id)?.importedIds ?? []) followImports(imported, from, info)
}

/** A part of the code that is loaded later and needs nothing but what is there by then. Such parts share a file, or each would be one. */
const isSmallPart = (info: ModuleInfo): boolean =>
  info !== null &&
  (info.code ?? '').length < SMALL_CHARS &&
  info.dynamicImporters.length === 0 &&
  info.dynamicallyImportedIds.length === 0 &&
  info.importedIds.every((each) => loadedAtOnce.get(each)?.has(MAIN))

/**
 * The chunk of a module; without a name the bundler decides. A bundled dependency is a separate file, which other bundlers omit if it is
 * not used. What the main entry loads at once is one or two files, even if it is shared with code that is loaded later: each further file
 * costs time at every start.
 */
const chunkOf = (id: string, context: { getModuleInfo(id: string): ModuleInfo }): string | null => {
  if (id.endsWith('.d.ts')) return null
  const dependency = bundled.find((each) => id.includes(`/node_modules/${each}/`))
  if (dependency !== undefined) return dependency
  if (loadedAtOnce.size === 0)
    for (const source of Object.values(entry)) followImports(join(folder, source), source, (each) => context.getModuleInfo(each))
  const entries = loadedAtOnce.get(id)
  if (entries?.has(FILES) && !entries.has(MAIN) && id !== join(folder, FILES)) return 'files'
  if (Object.values(entry).some((source) => id === join(folder, source))) return null
  if (!entries?.has(MAIN)) return isSmallPart(context.getModuleInfo(id)) ? 'parts' : null
  return Object.values(entry).some((source) => entries.has(source) && source !== MAIN) ? 'shared' : 'main'
}

/**
 * Completes the declarations. Each entry of core refers to the others: an app that imports one can then export what it answers without naming its type, because
 * TypeScript looks for a public name only in files that it has read. A declaration names a map that is not written, so that line goes, and
 * so does an import without names of what is bundled.
 */
const finishDeclarations = (): void => {
  const declarations = new Set(globSync('**/*.d.ts', { cwd: 'dist/esm' }))
  // An entry of another package may need types that an app of its main entry has not installed.
  const linked = name === '@hermes/core' ? packageEntries(folder) : []
  const named = linked.flatMap(({ path }) => (path.startsWith('storage/') ? [] : [`${path}.d.ts`]))
  for (const file of declarations) {
    const others = named.includes(file) ? named.filter((each) => each !== file && declarations.has(each)) : []
    const paths = others.map((each) =>
      relative(dirname(file), each)
        .replaceAll('\\', '/')
        .replace(/^(?!\.)/, './'),
    )
    const head = paths.map((path) => `/// <reference path="${path}" />\n`).join('')
    const text = readFileSync(`dist/esm/${file}`, 'utf8')
      .replace(/\n?\/\/# sourceMappingURL=.*\n?$/, '\n')
      .replace(/^import "([^"]+)";\n/gm, (line, specifier) => (isBundled(specifier) ? '' : line))
    writeFileSync(`dist/esm/${file}`, head + text)
    // Types are the same text for both builds.
    mkdirSync(dirname(`dist/cjs/${file}`), { recursive: true })
    copyFileSync(`dist/esm/${file}`, `dist/cjs/${file}`)
  }
}

const common = {
  cwd: folder,
  entry,
  platform: 'node',
  // An entry exports its public names and no more: otherwise what it shares with code that is loaded later may be put into it, and it exports that too.
  inputOptions: { experimental: { chunkOptimization: { mergeCommonChunks: false } } },
  plugins: [libraryBuild()],
  hash: false,
  // For the tests: the packages leave the maps out, which were two thirds of their size.
  sourcemap: 'hidden',
  // Names of functions stay, so that stack traces can be read.
  minify: { compress: true, mangle: { keepNames: true }, codegen: { removeWhitespace: true } },
  logLevel: 'warn',
  suppressWarnings: [/TypeScript 7/, /PLUGIN_TIMINGS/],
  deps: { alwaysBundle: bundledEntries, onlyBundle: bundled, dts: { neverBundle: bundledEntries } },
  outExtensions: () => ({ js: '.js', dts: '.d.ts' }),
  // Its build for Node is CommonJS, which is bundled whole and imports Node modules; the browser build runs everywhere.
  // The same holds for the other.
  alias: {
    yaml: join(folder, 'node_modules/yaml/browser/index.js'),
    'jsonc-parser': join(folder, 'node_modules/jsonc-parser/lib/esm/main.js'),
  },
  outputOptions: {
    // A provider has a default export beside its names.
    exports: 'named',
    // Short names save nothing: each chunk would say both.
    minifyInternalExports: false,
    codeSplitting: { groups: [{ name: chunkOf }], includeDependenciesRecursively: false },
    comments: { annotation: true, jsdoc: false, legal: true },
  },
} satisfies UserConfig

export default defineConfig([
  {
    ...common,
    format: 'esm',
    outDir: 'dist/esm',
    // Excludes tests: otherwise declarations of files in other folders that they import would be written beside those sources.
    dts: { tsconfig: 'tsconfig.build.json' },
    hooks: {
      'build:done': ({ chunks }) => {
        const licences = thirdPartyLicences(chunks.flatMap((chunk) => (chunk.type === 'chunk' ? chunk.moduleIds : [])))
        if (licences !== undefined) writeFileSync('dist/THIRD-PARTY.txt', licences)
        finishDeclarations()
        foldFacades('dist/esm', new Set(Object.keys(entry)))
      },
    },
  },
  {
    ...common,
    // Functions lose their names here: keeping them takes 80 kB, and few programs read this build.
    minify: { ...common.minify, mangle: { keepNames: { class: true, function: false } } },
    format: 'cjs',
    outDir: 'dist/cjs',
    dts: false,
    // Makes Node and TypeScript read the folder as CommonJS.
    hooks: {
      'build:done': () => {
        writeFileSync('dist/cjs/package.json', '{ "type": "commonjs" }\n')
        foldFacades('dist/cjs', new Set(Object.keys(entry)))
      },
    },
  },
])
