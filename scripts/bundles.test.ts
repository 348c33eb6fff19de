/** Bundlers can bundle the packages: the main entry for edge platforms, the file back end without the native code of koffi. */
import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, realpath, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import { build, type Metafile, type Platform } from 'esbuild'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { firstOf } from './support/rounds.ts'

const CORE = fileURLToPath(new URL('../packages/core', import.meta.url))
const run = promisify(execFile)
let scratch = ''

beforeAll(async () => {
  scratch = await mkdtemp(join(tmpdir(), 'hermes-bundles-'))
})

afterAll(() => rm(scratch, { recursive: true, force: true }))

/** Core's own tsconfig.json points its names to the sources, for its tests. */
const NO_PATHS = '{}'

/** The imports that remain in a bundle of `code`. */
const importsOf = async (code: string, platform: Platform): Promise<readonly string[]> => {
  const { metafile } = await build({
    stdin: { contents: code, resolveDir: CORE },
    tsconfigRaw: NO_PATHS,
    bundle: true,
    format: 'esm',
    platform,
    // The fields that edge platforms and Node use; without them, `neutral` ignores `main` of every package.
    mainFields: ['module', 'main'],
    conditions: ['import'],
    external: ['node:*'],
    outfile: join(scratch, 'edge.mjs'),
    metafile: true,
    logLevel: 'silent',
  })
  return Object.values(metafile.outputs).flatMap(({ imports }) => imports.map(({ path }) => path))
}

describe('the main entry in a bundle', () => {
  it.each(firstOf<Platform>(['browser', 'neutral']))('imports nothing of Node for the platform %s', async (platform) => {
    expect(await importsOf("export * from '@hermes/core'", platform)).toEqual([])
  })

  const bundled = () =>
    build({
      stdin: { contents: "export { createHermes } from '@hermes/core'", resolveDir: CORE },
      tsconfigRaw: NO_PATHS,
      bundle: true,
      splitting: true,
      minify: true,
      format: 'esm',
      platform: 'browser',
      conditions: ['import'],
      outdir: scratch,
      write: false,
      metafile: true,
      logLevel: 'silent',
    })

  /** The paths of the chunks that are loaded at the start. */
  const loadedAtOnce = ({ outputs }: Metafile): ReadonlySet<string> => {
    const atOnce = new Set<string>()
    const follow = (path: string): void => {
      if (atOnce.has(path)) return
      atOnce.add(path)
      for (const next of outputs[path]?.imports ?? []) if (next.kind === 'import-statement') follow(next.path)
    }
    for (const [path, { entryPoint }] of Object.entries(outputs)) if (entryPoint === '<stdin>') follow(path)
    return atOnce
  }

  it.each(firstOf(['yaml', 'modern-tar', 'zod']))('loads %s only when it is needed', async (dependency) => {
    const { metafile } = await bundled()
    const { outputs } = metafile
    const atOnce = loadedAtOnce(metafile)
    const inputsOf = (paths: Iterable<string>) => [...paths].flatMap((path) => Object.keys(outputs[path]?.inputs ?? {}))
    const isDependency = (input: string) => input.endsWith(`/dist/esm/${dependency}.js`)
    expect(inputsOf(Object.keys(outputs)).some(isDependency)).toBe(true)
    expect(inputsOf(atOnce).some(isDependency)).toBe(false)
  })

  it('loads at most 45 kB with createHermes, minified and gzipped', async () => {
    const { metafile, outputFiles } = await bundled()
    const names = new Set([...loadedAtOnce(metafile)].map((path) => basename(path)))
    const files = outputFiles.filter(({ path }) => names.has(basename(path)))
    const bytes = files.reduce((sum, { text }) => sum + gzipSync(text).length, 0)
    expect(bytes).toBeGreaterThan(30_000)
    expect(bytes).toBeLessThan(45_000)
  })

  it('would show an import of Node, had it one', async () => {
    expect(await importsOf("export * from '@hermes/core/file-system'", 'neutral')).toContain('node:fs/promises')
  })
})

const PROGRAM = `
  import { mkdtempSync, rmSync } from 'node:fs'
  import { tmpdir } from 'node:os'
  import { basename, join } from 'node:path'
  import { fileSystemBackend } from '@hermes/core/file-system'
  const home = mkdtempSync(join(tmpdir(), 'hermes-bundled-'))
  const warnings = []
  const storage = fileSystemBackend(home, { onWarning: (message) => warnings.push(message) })
  storage.update(['a.txt'], () => ({ put: { 'a.txt': new Uint8Array([65]) }, value: 0 })).then((written) => {
    rmSync(home, { recursive: true })
    console.log(JSON.stringify({ ok: written.ok, warnings }))
  })`

// NODE_PATH may name folders that contain koffi.
const env = { ...process.env, NODE_PATH: '' }

describe.each(firstOf(['esm', 'cjs'] as const))('the file back end in a bundle of the format %s', (format) => {
  const bundleIn = async (folder: string): Promise<string> => {
    const outfile = join(folder, `bundled.${format === 'esm' ? 'mjs' : 'cjs'}`)
    const stdin = { contents: PROGRAM, resolveDir: CORE }
    await build({ stdin, tsconfigRaw: NO_PATHS, bundle: true, format, platform: 'node', outfile, logLevel: 'silent' })
    return outfile
  }

  it('finds koffi beside the program that was started', async () => {
    const app = await mkdtemp(join(scratch, 'app-'))
    await mkdir(join(app, 'node_modules'))
    await symlink(await realpath(join(CORE, 'node_modules/koffi')), join(app, 'node_modules/koffi'))
    const { stdout } = await run(process.execPath, [await bundleIn(app)], { cwd: tmpdir(), env })
    expect(JSON.parse(stdout)).toEqual({ ok: true, warnings: [] })
  })

  it('writes without koffi too, and warns; files in the working directory are not loaded', async () => {
    const { stdout } = await run(process.execPath, [await bundleIn(scratch)], { cwd: CORE, env })
    expect(JSON.parse(stdout)).toEqual({ ok: true, warnings: [expect.stringContaining('flock(2) is not available')] })
  })
})
