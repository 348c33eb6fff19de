/** Breaks every lint rule once in a temporary copy and expects the linter to report it. */
import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { renderLayers } from './lint/core-layers.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const LAYERS = /layers point downward only/
const IMPORT_STATEMENT = /with a statement/
const CORE = 'packages/core/src'
const AI_SDK = 'packages/ai-sdk/src'
const TESTING = 'packages/testing/src'

interface Probe {
  readonly breaks: string
  readonly file: string
  readonly code: string
  readonly expected: RegExp
  /** Path and code of another file that the case needs. */
  readonly beside?: readonly [string, string]
}

const layerProbe = (from: string, to: string): Probe => ({
  breaks: `${from} importing ${to}`,
  file: `${CORE}/${from}`,
  code: `import type { Target } from '${to}'\n\nexport type Probe = Target\n`,
  expected: LAYERS,
})

const codeProbe = (breaks: string, file: string, code: string, expected: RegExp): Probe => ({ breaks, file, code: `${code}\n`, expected })

const depsOf = (fields: number): string =>
  `export interface ProbeDeps {\n${Array.from({ length: fields }, (_, index) => `  readonly field${index}: number\n`).join('')}}`

const BROKEN: readonly Probe[] = [
  // The rule is made from the table of layers, alike for each: one of every kind.
  layerProbe('shared/up.ts', '../storage/storage-backend.ts'),
  layerProbe('shared/top.ts', '../create-hermes.ts'),
  layerProbe('storage/sideways.ts', '../model/host-model.ts'),
  layerProbe('storage/files/top.ts', '../../hermes-options.ts'),
  layerProbe('storage/files/up.ts', '../../memory/memory-op.ts'),
  layerProbe('review/apply/sideways.ts', '../../tools/tool-definition.ts'),
  layerProbe('review/propose/prompts/top.ts', '../../../index.ts'),
  layerProbe('session/up.ts', '../erasure/forget.ts'),
  layerProbe('hermes-options.ts', './adapter/hermes-target.ts'),
  layerProbe('adapter/up.ts', '../entries/adapter.ts'),
  layerProbe('newcomer/no-layer.ts', '../shared/result.ts'),
  codeProbe('a re-export of a higher layer', `${CORE}/shared/re-export.ts`, "export type { Gate } from '../gate/review-gate.ts'", LAYERS),
  codeProbe(
    'an inline import type',
    `${CORE}/shared/inline.ts`,
    "export type Probe = import('../gate/review-gate.ts').Gate",
    IMPORT_STATEMENT,
  ),
  codeProbe(
    'a late import of a higher layer',
    `${CORE}/shared/lazy.ts`,
    "export const load = () => import('../gate/review-gate.ts')",
    LAYERS,
  ),
  codeProbe('node: in core', `${CORE}/memory/node.ts`, "import { sep } from 'node:path'\n\nexport const probe = sep", /noNodejsModules/),
  codeProbe(
    'a node: type in core',
    `${CORE}/memory/node-type.ts`,
    "import type { Stats } from 'node:fs'\n\nexport type Probe = Stats",
    /Core runs on edge/,
  ),
  codeProbe('a late node: import in core', `${CORE}/memory/node-late.ts`, "export const load = () => import('node:fs')", /noNodejsModules/),
  codeProbe('node: in an adapter', `${AI_SDK}/node.ts`, "import { sep } from 'node:path'\n\nexport const probe = sep", /noNodejsModules/),
  codeProbe(
    'an unbounded YAML parser',
    `${CORE}/memory/yaml.ts`,
    "import { parse } from 'yaml'\n\nexport const probe: unknown = parse('a: 1')",
    /noRestrictedImports/,
  ),
  codeProbe('Buffer in core', `${CORE}/memory/buffer.ts`, "export const probe = Buffer.from('a')", /noRestrictedGlobals/),
  codeProbe('process in an adapter', `${AI_SDK}/process.ts`, 'export const probe = process.env', /noRestrictedGlobals/),
  codeProbe('Date.now()', `${CORE}/memory/now.ts`, 'export const probe = Date.now()', /noJsRestrictedProperties/),
  codeProbe('Date.now() taken apart', `${CORE}/memory/now-apart.ts`, 'export const { now } = Date', /noJsRestrictedProperties/),
  codeProbe('Date.now() in an adapter', `${AI_SDK}/now.ts`, 'export const probe = Date.now()', /noJsRestrictedProperties/),
  codeProbe('new Date()', `${CORE}/memory/new-date.ts`, 'export const probe = new Date()', /Hidden clock/),
  codeProbe('new Date() in an adapter', `${AI_SDK}/new-date.ts`, 'export const probe = new Date()', /Hidden clock/),
  codeProbe('globalThis.Date.now()', `${CORE}/memory/global-now.ts`, 'export const probe = globalThis.Date.now()', /Hidden clock/),
  codeProbe('Math.random()', `${CORE}/memory/random.ts`, 'export const probe = Math.random()', /noJsRestrictedProperties/),
  codeProbe('crypto.randomUUID()', `${CORE}/memory/uuid.ts`, 'export const probe = crypto.randomUUID()', /Hidden clock or randomness/),
  codeProbe('a subpath of core in an adapter', `${AI_SDK}/deep.ts`, "export { x } from '@hermes/core/storage'", /public surface/),
  codeProbe('a path into another package', `${AI_SDK}/path.ts`, "export { x } from '../../core/src/index.ts'", /by its name/),
  codeProbe('any', `${CORE}/memory/any.ts`, 'export const probe: any = 1', /noExplicitAny/),
  codeProbe(
    'a non-null assertion',
    `${CORE}/memory/bang.ts`,
    'export const probe = (list: string[]) => list[0]!.length',
    /noNonNullAssertion/,
  ),
  codeProbe('a default export', `${CORE}/memory/default.ts`, 'export default 1', /noDefaultExport/),
  codeProbe('an inner barrel', `${CORE}/memory/index.ts`, "export { a } from './any.ts'\nexport { b } from './bang.ts'", /noBarrelFile/),
  codeProbe('export *, even in an index', `${CORE}/index.ts`, "export * from './memory/any.ts'", /noReExportAll/),
  codeProbe('console in a package', `${CORE}/memory/console.ts`, "console.log('hello')\nexport {}", /noConsole/),
  codeProbe('process.exit in a package', `${TESTING}/exit.ts`, 'export const probe = () => process.exit(1)', /noProcessExit/),
  codeProbe(
    'a floating promise',
    `${CORE}/memory/floating.ts`,
    'const later = async (): Promise<number> => 1\nexport const probe = () => {\n  later()\n}',
    /noFloatingPromises/,
  ),
  codeProbe('a bare builtin', 'scripts/bare.ts', "import { sep } from 'path'\n\nexport const probe = sep", /useNodejsImportProtocol/),
  codeProbe('a value import of a type', `${CORE}/memory/value.ts`, "import { T } from './any.ts'\n\nexport type P = T", /useImportType/),
  codeProbe('an import without extension', `${CORE}/memory/bare.ts`, "export { a } from './any'", /useImportExtensions/),
  codeProbe('an undeclared dependency', `${CORE}/memory/undeclared.ts`, "export { a } from 'left-pad'", /noUndeclaredDependencies/),
  codeProbe('an interface of seven dependencies', `${CORE}/memory/deps.ts`, depsOf(7), /at most six fields/),
  codeProbe('one in another package', `${AI_SDK}/deps.ts`, depsOf(7), /at most six fields/),
  codeProbe('an enum', `${CORE}/memory/enum.ts`, 'export enum Probe {\n  A,\n}', /noEnum/),
  codeProbe('a file over 250 lines', `${CORE}/memory/long.ts`, `export const a = [\n${'  1,\n'.repeat(260)}]`, /noExcessiveLinesPerFile/),
  codeProbe('a name that is not kebab-case', `${CORE}/memory/camelCase.ts`, 'export const probe = 1', /useFilenamingConvention/),
  codeProbe('a focused test', `${CORE}/memory/only.test.ts`, "import { it } from 'vitest'\n\nit.only('x', () => {})", /noFocusedTests/),
  codeProbe('a skipped test', `${CORE}/memory/skip.test.ts`, "import { it } from 'vitest'\n\nit.skip('x', () => {})", /noSkippedTests/),
  codeProbe('other quotes', `${CORE}/memory/quotes.ts`, 'export const probe = "a"', /format/),
  codeProbe(
    'unsorted imports',
    `${CORE}/memory/unsorted.ts`,
    "import { b } from './b.ts'\nimport { a } from './a.ts'\n\nexport const c = [a, b]",
    /organizeImports/,
  ),
  {
    ...codeProbe(
      'a cycle, of types alone',
      `${CORE}/memory/cycle-a.ts`,
      "import type { B } from './cycle-b.ts'\n\nexport type A = B[]",
      /noImportCycles/,
    ),
    beside: [`${CORE}/memory/cycle-b.ts`, "import type { A } from './cycle-a.ts'\n\nexport type B = A | 1\n"],
  },
]

/** Code that must pass, so that a rule which refuses everything is noticed. */
const SOUND: Readonly<Record<string, string>> = {
  [`${CORE}/shared/clock.ts`]: 'export const systemClock = (): number => Date.now()\n',
  [`${CORE}/storage/fine.ts`]: "import type { Result } from '../shared/result.ts'\n\nexport type Probe = Result\n",
  [`${CORE}/storage/files/fine.ts`]:
    "import { sep } from 'node:path'\nimport type { Result } from '../../shared/result.ts'\nimport type { Probe } from '../fine.ts'\n\nexport const probe: [Result, Probe, string] | string = sep\n",
  [`${CORE}/curator/fine.ts`]:
    "import type { Gate } from '../gate/review-gate.ts'\nimport type { Op } from '../memory/memory-op.ts'\n\nexport type Probe = [Gate, Op]\n",
  [`${CORE}/session/fine.ts`]:
    "import type { Outcome } from '../review/review-outcome.ts'\nimport type { Tool } from '../tools/tool-definition.ts'\n\nexport type Probe = [Outcome, Tool]\n",
  [`${CORE}/memory/six-deps.ts`]: `${depsOf(6)}\n`,
  [`${CORE}/portability/fine.ts`]: "import type { Session } from '../session/session.ts'\n\nexport type Probe = Session\n",
  [`${CORE}/session/fine.test.ts`]:
    "import { sep } from 'node:path'\nimport { manualClock } from '@hermes/testing'\n\nexport const probe = [sep, manualClock, Date.now()]\n",
  [`${TESTING}/fine.ts`]:
    "import { sep } from 'node:path'\nimport { createHermes } from '@hermes/core'\n\nexport const probe = [sep, createHermes]\n",
  [`${CORE}/resolve-options.ts`]: 'export const createId = () => crypto.randomUUID()\n',
  [`${AI_SDK}/fine.ts`]: "import type { Hermes } from '@hermes/core'\n\nexport type Probe = Hermes\n",
  [`${AI_SDK}/fine.test.ts`]: "import { scriptedHostModel } from '@hermes/testing'\n\nexport const probe = scriptedHostModel\n",
  'packages/ai-sdk/vitest.config.ts': 'export default {}\n',
}

let scratch: string
let complaints: ReadonlyMap<string, string>

interface Diagnostic {
  readonly category: string
  readonly message: string
  readonly location?: { readonly path?: string }
}

/** Runs the linter once over the temporary tree; returns its messages by file. */
const lintScratch = async (): Promise<Map<string, string>> => {
  const biome = join(ROOT, 'node_modules/.bin/biome')
  const arguments_ = ['check', '--colors=off', '--error-on-warnings', '--reporter=json', '--max-diagnostics=none', '.']
  const stdout = await new Promise<string>((resolve) => {
    execFile(biome, arguments_, { cwd: scratch, maxBuffer: 64 * 1024 * 1024 }, (_error, output) => resolve(output))
  })
  const said = new Map<string, string>()
  const report: { readonly diagnostics: readonly Diagnostic[] } = JSON.parse(stdout)
  for (const { category, message, location } of report.diagnostics) {
    const path = location?.path ?? ''
    said.set(path, `${said.get(path) ?? ''}${category}: ${message}\n`)
  }
  return said
}

beforeAll(async () => {
  scratch = await mkdtemp(join(tmpdir(), 'hermes-lint-'))
  for (const path of [
    'biome.json',
    '.gitignore',
    'scripts/lint',
    'package.json',
    'packages/core/package.json',
    'packages/ai-sdk/package.json',
    'packages/testing/package.json',
  ]) {
    await cp(join(ROOT, path), join(scratch, path), { recursive: true })
  }
  await symlink(join(ROOT, 'node_modules'), join(scratch, 'node_modules'))
  const files = [
    ...Object.entries(SOUND),
    ...BROKEN.flatMap(({ file, code, beside }): (readonly [string, string])[] => [[file, code], ...(beside ? [beside] : [])]),
  ]
  for (const [path, code] of files) {
    await mkdir(dirname(join(scratch, path)), { recursive: true })
    await writeFile(join(scratch, path), code)
  }
  complaints = await lintScratch()
})

afterAll(async () => {
  await rm(scratch, { recursive: true, force: true })
})

describe('the linter', () => {
  it.each(BROKEN)('refuses $breaks', ({ file, expected }) => {
    expect(complaints.get(file)).toMatch(expected)
  })

  it.each(Object.keys(SOUND))('accepts %s', (file) => {
    expect(complaints.get(file)).toBeUndefined()
  })
})

it('the rule of the layers is made from their table', async () => {
  const withoutSpace = (text: string) => text.replace(/\s+/g, '')
  expect(withoutSpace(await readFile(join(ROOT, 'scripts/lint/core-layers.grit'), 'utf8'))).toBe(withoutSpace(renderLayers()))
})
