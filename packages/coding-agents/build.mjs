/** Builds the plugins: each folder of plugins/, and the programs that its hooks start, with all that they need in few files, so that they start fast. */
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'rolldown'
import { libraryBuild } from '../../scripts/library-build.ts'
import { packageEntries } from '../../scripts/package-entries.ts'
import { thirdPartyLicences } from '../../scripts/third-party.ts'

const FOLDER = import.meta.dirname
const OUT = join(FOLDER, 'dist/plugins')
const PROGRAMS = join(OUT, 'claude-code/programs')
const { version } = JSON.parse(readFileSync(join(FOLDER, 'package.json'), 'utf8'))

/** Core is bundled from its sources: code that an event does not need is not loaded with it. */
const core = join(FOLDER, '../core')
const sources = new Map(packageEntries(core).map(({ specifier, source }) => [specifier, join(core, source)]))
const ownSources = { name: 'own-sources', resolveId: (id) => sources.get(id) ?? null }

rmSync(OUT, { recursive: true, force: true })
mkdirSync(OUT, { recursive: true })
cpSync(join(FOLDER, 'plugins'), OUT, { recursive: true })

/** What every hook loads, some of it with `import()`: one file, since each further one costs time at every event. */
const OF_EVERY_HOOK = [
  join(FOLDER, 'src/hook/hook-program.ts'),
  ...[
    'memory/memory-work',
    'session/freeze-block',
    'session/reviews',
    'session/tidy-home',
    'skills/skill-index',
    'storage/files/create-update-queue',
    'curator/active-days',
  ].map((module) => join(core, `src/${module}.ts`)),
]
/** What says where the cache of compiled code is. It is loaded before all else, or that would be compiled at every event. */
const BEFORE_ALL = ['src/programs/compiled-code.ts', 'src/home-folder.ts'].map((module) => join(FOLDER, module))
let ofEveryHook
const follow = (id, info) => {
  if (ofEveryHook.has(id) || BEFORE_ALL.includes(id)) return
  ofEveryHook.add(id)
  for (const imported of info(id)?.importedIds ?? []) follow(imported, info)
}
const chunkOf = (id, context) => {
  if (!ofEveryHook) {
    ofEveryHook = new Set()
    for (const module of OF_EVERY_HOOK) follow(module, (each) => context.getModuleInfo(each))
  }
  if (BEFORE_ALL.includes(id)) return 'before-all'
  return ofEveryHook.has(id) ? 'every-hook' : null
}

const { output } = await build({
  plugins: [ownSources, libraryBuild()],
  cwd: FOLDER,
  input: { hook: 'src/programs/hook.ts', mcp: 'src/programs/mcp.ts' },
  external: (id) => id === 'koffi' || id.startsWith('@koromix/'),
  platform: 'node',
  checks: { ineffectiveDynamicImport: false },
  output: {
    dir: PROGRAMS,
    // As modules, each import of a part of Node would load what only few of its names need.
    format: 'cjs',
    entryFileNames: '[name].js',
    chunkFileNames: '[name]-[hash].js',
    codeSplitting: { groups: [{ name: chunkOf, debugName: 'every hook' }] },
    minify: { compress: true, mangle: false, codegen: { removeWhitespace: true } },
  },
})

/** What hosts load into their own process. */
await build({
  cwd: FOLDER,
  input: { pi: 'src/extensions/pi.ts', opencode: 'src/extensions/opencode.ts' },
  platform: 'node',
  output: { dir: PROGRAMS, format: 'esm', entryFileNames: '[name].mjs', chunkFileNames: '[name].mjs' },
})

writeFileSync(join(PROGRAMS, 'package.json'), '{ "type": "commonjs" }\n')
writeFileSync(
  join(PROGRAMS, 'THIRD-PARTY.txt'),
  thirdPartyLicences(output.flatMap((chunk) => (chunk.type === 'chunk' ? chunk.moduleIds : []))) ?? '',
)
cpSync(join(FOLDER, 'LICENSE'), join(OUT, 'claude-code/LICENSE'))
// The version of the package is that of the plugin.
for (const file of ['claude-code/.claude-plugin/plugin.json', '.claude-plugin/marketplace.json']) {
  const path = join(OUT, file)
  writeFileSync(path, readFileSync(path, 'utf8').replaceAll('"version": "0.0.0"', `"version": "${version}"`))
}
