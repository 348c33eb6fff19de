/** A reader of the documentation: npm, a Node and an empty folder outside the repository. */
import { execFile } from 'node:child_process'
import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { inject } from 'vitest'
import { usersNode } from '../support/users-node.ts'
import { compileWithTypeScript5 } from './compile.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const run = promisify(execFile)

/** Puts the user's Node first on the PATH and removes what the workspace adds. */
export const userEnvironment = (home: string, node = usersNode()): Readonly<Record<string, string | undefined>> => {
  const path = (process.env['PATH'] ?? '').split(delimiter).filter((folder) => !folder.includes('node_modules'))
  const kept = Object.entries(process.env).filter(([name]) => !/^(npm_|NODE_PATH$|NODE_OPTIONS$|NODE_COMPILE_CACHE$|VITEST)/i.test(name))
  return {
    ...Object.fromEntries(kept),
    PATH: [dirname(node), ...path].join(delimiter),
    HOME: home,
    USERPROFILE: home,
    // All readers share one cache.
    npm_config_cache: process.env['npm_config_cache'] ?? join(process.env['HOME'] ?? tmpdir(), '.npm'),
  }
}

/** The newest compiler, which is fast, or the one that most programs still use. */
export type Compiler = 'typescript' | 'typescript-5'

export interface Reader {
  /** The folder in which packages are installed. */
  readonly folder: string
  /** The reader's home folder, for `~`. */
  readonly home: string
  /** Runs `npm install`; our own packages come from the registry of this run. Rejects with npm's output. */
  readonly install: (names: readonly string[]) => Promise<void>
  /**
   * Compiles the programs by file name, strictly and with all declarations, to `out/`. Returns the errors in them and in our declarations.
   * `options`: as in tsconfig.json, in place of the usual ones.
   */
  readonly compile: (
    programs: Readonly<Record<string, string>>,
    compiler?: Compiler,
    options?: Readonly<Record<string, unknown>>,
  ) => Promise<readonly string[]>
  /** Runs a program of this folder and returns its standard output. */
  readonly execute: (program: string, args: readonly string[], env?: Readonly<Record<string, string>>) => Promise<string>
}

const explained = async <T>(work: Promise<T>): Promise<T> => {
  try {
    return await work
  } catch (cause) {
    const { stdout = '', stderr = '' }: { stdout?: string; stderr?: string } = Object(cause)
    throw new Error(`${String(cause)}\n${stdout}${stderr}`, { cause })
  }
}

/** What `tsc` prints, without the errors in the declarations of other packages. */
const ownErrors = (failure: unknown): readonly string[] => {
  const { stdout = '' }: { stdout?: string } = Object(failure)
  const errors = stdout.split('\n').filter((line) => /\berror TS\d+/.test(line))
  if (errors.length === 0) throw failure
  return errors.filter((line) => !/^node_modules\/(?!@hermes\/)/.test(line))
}

const COMPILER_OPTIONS = {
  module: 'nodenext',
  target: 'esnext',
  strict: true,
  noUncheckedIndexedAccess: true,
  skipLibCheck: false,
  jsx: 'react-jsx',
  rewriteRelativeImportExtensions: true,
  outDir: 'out',
  types: ['node'],
  typeRoots: [join(ROOT, 'node_modules/@types')],
}

/** `registry`: where our own packages come from, by default what was packed for this run. `node`: by default the user's. */
export const createReader = async ({ registry = inject('packed').registry, node = usersNode() } = {}): Promise<Reader> => {
  const { scratch } = inject('packed')
  const folder = await mkdtemp(join(scratch, 'reader-'))
  const home = await mkdtemp(join(scratch, 'home-'))
  await writeFile(join(folder, 'package.json'), '{ "name": "reader", "version": "1.0.0", "private": true }\n')
  const options = { cwd: folder, env: userEnvironment(home, node) }
  return {
    folder,
    home,
    install: async (names) => {
      const flags = ['--no-audit', '--no-fund', '--prefer-offline', '--loglevel=error', `--@hermes:registry=${registry}`]
      await explained(run('npm', ['install', ...flags, ...names], options))
    },
    compile: async (programs, compiler = 'typescript-5', compilerOptions = {}) => {
      for (const [file, code] of Object.entries(programs)) await writeFile(join(folder, file), code)
      const config = { compilerOptions: { ...COMPILER_OPTIONS, ...compilerOptions }, files: Object.keys(programs) }
      await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(config))
      if (compiler === 'typescript-5') return compileWithTypeScript5(folder)
      const tsc = join(ROOT, 'node_modules/typescript/bin/tsc')
      // More checkers check the same declarations again.
      return run(process.execPath, [tsc, '-p', folder, '--pretty', 'false', '--checkers', '1'], options).then(() => [], ownErrors)
    },
    execute: async (program, args, env = {}) => {
      const { stdout } = await explained(run(program, args, { ...options, env: { ...options.env, ...env }, timeout: 180_000 }))
      return stdout
    },
  }
}
