/**
 * How long a new process waits for core, beside a Node that does nothing and `import 'zod'` alone, and how large it is in a bundle. Targets: core with the file back
 * end at most 1.2 times zod; 90 ms to the prompt block; 90 kB for `createHermes` and 25 kB for `MemoryStore`, minified and gzipped.
 */
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { gzipSync } from 'node:zlib'
import { build, type OutputFile } from 'esbuild'

const CORE = fileURLToPath(new URL('../packages/core', import.meta.url))
const ROUNDS = 15
const SKILLS = 20

export interface LoadingFigures {
  /** Milliseconds: medians of the wall clock and of processor time. */
  readonly wallMs: Readonly<Record<string, number>>
  readonly cpuMs: Readonly<Record<string, number>>
  /** By the name of the export. */
  readonly bundles: Readonly<Record<string, BundleSize>>
}

/** Bytes, minified and gzipped. */
interface BundleSize {
  /** What is loaded at once, where the bundler splits; the rest is loaded when it is first used. */
  readonly start: number
  /** As one file. */
  readonly all: number
}

const writeHome = (home: string): void => {
  mkdirSync(join(home, 'memories'))
  writeFileSync(join(home, 'memories/MEMORY.md'), 'The API is deployed with Kamal.\n§\nTests run with Vitest.')
  writeFileSync(join(home, 'memories/USER.md'), 'Prefers tabs.')
  for (let index = 0; index < SKILLS; index++) {
    const folder = join(home, `skills/category-${index % 4}/skill-${index}`)
    mkdirSync(folder, { recursive: true })
    writeFileSync(
      join(folder, 'SKILL.md'),
      `---\nname: skill-${index}\ndescription: Does the useful thing with number ${index}.\n---\n\nSteps.\n`,
    )
  }
}

const toPromptBlock = (home: string): string => `
  const [{ createHermes }, { fileSystemBackend }] = await Promise.all([import('@hermes/core'), import('@hermes/core/file-system')])
  const block = await createHermes({ storage: fileSystemBackend(${JSON.stringify(home)}) }).session(String(process.pid)).systemBlock()
  if (!block.includes('Prefers tabs.')) throw new Error('the prompt block is not complete')`

const CPU_TIME = `process.on('exit', () => { const { user, system } = process.cpuUsage(); process.stdout.write(String((user + system) / 1000)) })\n`

/** Runs the program in a new process, in the folder of core: there `zod` is core's own, and `@hermes/core` resolves as it does for a user. */
const time = (program: string): { readonly wall: number; readonly cpu: number } => {
  const start = performance.now()
  const { status, stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', CPU_TIME + program], {
    cwd: CORE,
    encoding: 'utf8',
    env: { PATH: process.env['PATH'] },
  })
  const wall = performance.now() - start
  if (status !== 0) throw new Error(`The process ended with ${status}: ${stderr}`)
  return { wall, cpu: Number(stdout) }
}

const median = (list: readonly number[]): number => list.toSorted((a, b) => a - b)[Math.floor(list.length / 2)] ?? Number.NaN

const bundleOf = (name: string, splitting: boolean) =>
  build({
    stdin: { contents: `export { ${name} } from '@hermes/core'`, resolveDir: CORE },
    // Core's own tsconfig.json points its names to the sources, for its tests.
    tsconfigRaw: '{}',
    bundle: true,
    splitting,
    minify: true,
    format: 'esm',
    platform: 'browser',
    conditions: ['import'],
    outdir: 'bundle',
    write: false,
    metafile: true,
    logLevel: 'silent',
  })

const bundle = async (name: string): Promise<BundleSize> => {
  const [oneFile, chunks] = [await bundleOf(name, false), await bundleOf(name, true)]
  const { outputs } = chunks.metafile
  const atStart = new Set<string>()
  const visit = (path: string): void => {
    if (atStart.has(path)) return
    atStart.add(path)
    for (const { path: next, kind } of outputs[path]?.imports ?? []) if (kind === 'import-statement') visit(next)
  }
  for (const [path, { entryPoint }] of Object.entries(outputs)) if (entryPoint === '<stdin>') visit(path)
  const names = new Set([...atStart].map((path) => basename(path)))
  const zipped = (files: readonly OutputFile[]) => files.reduce((total, { text }) => total + gzipSync(text).length, 0)
  const all = zipped(oneFile.outputFiles)
  return { start: Math.min(all, zipped(chunks.outputFiles.filter(({ path }) => names.has(basename(path))))), all }
}

const measure = (home: string): Pick<LoadingFigures, 'wallMs' | 'cpuMs'> => {
  const candidates: Readonly<Record<string, string>> = {
    node: '',
    zod: "await import('zod')",
    core: "await import('@hermes/core')",
    'core + file system': "await import('@hermes/core'); await import('@hermes/core/file-system')",
    'to the prompt block': toPromptBlock(home),
  }
  const wall = new Map(Object.keys(candidates).map((name) => [name, [] as number[]]))
  const cpu = new Map(Object.keys(candidates).map((name) => [name, [] as number[]]))
  // All take turns, so that a busy machine is equally busy for each. The first round fills the caches of the disk.
  for (let round = 0; round <= ROUNDS; round++) {
    for (const [name, program] of Object.entries(candidates)) {
      const taken = time(program)
      if (round === 0) continue
      wall.get(name)?.push(taken.wall)
      cpu.get(name)?.push(taken.cpu)
    }
  }
  const medians = (times: ReadonlyMap<string, readonly number[]>) =>
    Object.fromEntries([...times].map(([name, list]) => [name, median(list)]))
  return { wallMs: medians(wall), cpuMs: medians(cpu) }
}

/** Prints its own table and gives the figures back. */
export const run = async (): Promise<LoadingFigures> => {
  const home = mkdtempSync(join(tmpdir(), 'hermes-bench-loading-'))
  try {
    writeHome(home)
    const { wallMs, cpuMs } = measure(home)
    const bundles = { createHermes: await bundle('createHermes'), MemoryStore: await bundle('MemoryStore') }
    console.log(`Node ${process.versions.node}, new processes, median of ${ROUNDS} rounds`)
    for (const [name, ms] of Object.entries(wallMs)) {
      const times = (ms / (wallMs['zod'] ?? Number.NaN)).toFixed(2)
      console.log(
        `  ${name.padEnd(20)} ${ms.toFixed(0).padStart(5)} ms   processor ${(cpuMs[name] ?? Number.NaN).toFixed(0).padStart(4)} ms   ${times} × zod`,
      )
    }
    for (const [name, { start, all }] of Object.entries(bundles)) {
      const kilobytes = (bytes: number) => `${(bytes / 1000).toFixed(0).padStart(4)} kB`
      console.log(`  ${name.padEnd(20)} ${kilobytes(start)} at once, ${kilobytes(all)} as one file, minified and gzipped`)
    }
    return { wallMs, cpuMs, bundles }
  } finally {
    rmSync(home, { recursive: true, force: true })
  }
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) await run()
