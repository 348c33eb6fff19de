/**
 * Changes the sources one spot at a time and runs the tests that cover the spot: a change that no test notices is a gap in the tests.
 * Arguments are names from folders.ts, or one file of a folder (`gate/judge-skill.ts`); without any, all folders run. `--json <file>` also
 * writes the scores to a file, after each folder. Results are kept in .mutants/, also if a run is stopped, and the next run of a folder
 * repeats only what changed. HERMES_MUTANTS_WORKERS is the number of processes. Exits with 1 if the score of a folder is below LOWEST_SCORE.
 */
import { globSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { performance } from 'node:perf_hooks'
import { parseArgs } from 'node:util'
import { Stryker } from '@stryker-mutator/core'
import { MUTATED_FOLDERS, type MutatedFolder } from './folders.ts'
import { type FolderResult, type SurvivingMutant, summarize, toScore } from './summarize.ts'

const ROOT = join(import.meta.dirname, '../..')
const SOURCES = join(ROOT, 'packages/core/src')

/** Folders that the tests of core do not read: copying them costs time. They read the kits of packages/testing, and pages of docs. */
const NOT_COPIED = [
  ...['examples', 'benchmarks', '.mutants'].map((folder) => `/${folder}`),
  ...readdirSync(join(ROOT, 'packages'))
    .filter((name) => name !== 'core' && name !== 'testing')
    .map((name) => `/packages/${name}`),
]

type Mutant = Awaited<ReturnType<Stryker['runMutationTest']>>[number]

const describe = ({ fileName, location: { start, end }, mutatorName, replacement, status }: Mutant): SurvivingMutant => {
  const lines = readFileSync(fileName, 'utf8').split('\n')
  // The last line is cut first: both cuts are in one line if the code is.
  const code = lines.slice(start.line - 1, end.line)
  code[code.length - 1] = (code.at(-1) ?? '').slice(0, end.column - 1)
  code[0] = (code[0] ?? '').slice(start.column - 1)
  return {
    file: relative(SOURCES, fileName),
    lineNumber: start.line,
    line: (lines[start.line - 1] ?? '').trim(),
    code: code.join('\n'),
    becomes: replacement ?? '',
    mutator: mutatorName,
    isCovered: status !== 'NoCoverage',
  }
}

/** Mutates the given files of a folder, or all if there are none. */
const runFolder = async (name: string, { source }: MutatedFolder, files: readonly string[]): Promise<FolderResult> => {
  process.env['HERMES_MUTANTS'] = name
  const started = performance.now()
  const mutants = await new Stryker({
    testRunner: 'warm',
    plugins: ['ignore-messages.ts', 'warm/plugin.ts'].map((file) => join(import.meta.dirname, file)),
    mutate: [...(files.length > 0 ? files : ['**/*.ts']).map((file) => `packages/core/${source}/${file}`), '!**/*.test.ts', '!**/*.d.ts'],
    ignorers: ['messages'],
    ignorePatterns: NOT_COPIED,
    coverageAnalysis: 'perTest',
    // Values that a module computes while it loads: a test cannot switch them, and each would run every test.
    ignoreStatic: true,
    incremental: true,
    incrementalFile: `.mutants/${name}.json`,
    tempDirName: '.mutants/sandboxes',
    cleanTempDir: 'always',
    concurrency: Number(process.env['HERMES_MUTANTS_WORKERS'] ?? Math.max(1, availableParallelism() - 1)),
    // For loops that the limit on hits does not end; the machine may be busy.
    timeoutMS: 60_000,
    dryRunTimeoutMinutes: 30,
    reporters: process.stdout.isTTY ? ['progress'] : ['progress-append-only'],
    logLevel: 'warn',
    thresholds: { high: 100, low: 0, break: null },
  } as ConstructorParameters<typeof Stryker>[0]).runMutationTest()
  const open = mutants.filter(({ status }) => status === 'Survived' || status === 'NoCoverage').map(describe)
  const killed = mutants.filter(({ status }) => status === 'Killed' || status === 'Timeout').length
  return { name, killed, open, seconds: (performance.now() - started) / 1000 }
}

const isInside = (argument: string): boolean => Object.hasOwn(MUTATED_FOLDERS, argument.split('/')[0] ?? '')

/** Stryker would take a pattern that fits no file for a folder without a mutant. */
const hasSources = (argument: string): boolean => {
  const [name = '', ...path] = argument.split('/')
  const cwd = join(ROOT, 'packages/core', MUTATED_FOLDERS[name]?.source ?? '')
  return path.length === 0 || globSync(path.join('/'), { cwd }).some((file) => file.endsWith('.ts'))
}

const saveScores = (file: string, results: readonly FolderResult[]): void => {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, `${JSON.stringify(results.map(toScore), undefined, 2)}\n`)
}

const { positionals: wanted, values: options } = parseArgs({ allowPositionals: true, options: { json: { type: 'string' } } })
const unknown = wanted.filter((argument) => !isInside(argument))
if (unknown.length > 0) {
  process.stderr.write(`No such folder: ${unknown.join(', ')}. Choose from ${Object.keys(MUTATED_FOLDERS).join(', ')}.\n`)
  process.exit(2)
}

const empty = wanted.filter((argument) => !hasSources(argument))
if (empty.length > 0) {
  process.stderr.write(`No such file: ${empty.join(', ')}. Name one below its folder, or a pattern: 'review/apply/**'.\n`)
  process.exit(2)
}

const results: FolderResult[] = []
for (const [name, folder] of Object.entries(MUTATED_FOLDERS)) {
  const paths = wanted
    .filter((argument) => argument === name || argument.startsWith(`${name}/`))
    .map((argument) => argument.slice(name.length + 1))
  if (wanted.length > 0 && paths.length === 0) continue
  results.push(await runFolder(name, folder, paths.includes('') ? [] : paths))
  if (options.json !== undefined) saveScores(options.json, results)
}
const summary = summarize(results)
process.stdout.write(summary.text)
process.exitCode = summary.isEnough ? 0 : 1
