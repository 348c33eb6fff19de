/** How long a new process waits for core, beside a Node that does nothing and `import 'zod'` alone, and how large core is in a bundle. */
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { build, type OutputFile } from 'esbuild'
import { type Report, table } from '../report.ts'
import { percentile } from '../timing.ts'

const CORE = fileURLToPath(new URL('../../packages/core', import.meta.url))
const ROUNDS = 15
const SKILLS = 20

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

interface LoadingFigures {
  /** Milliseconds: medians of the wall clock and of processor time. */
  readonly wallMs: Readonly<Record<string, number>>
  readonly cpuMs: Readonly<Record<string, number>>
}

const measure = (home: string): LoadingFigures => {
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
    Object.fromEntries([...times].map(([name, list]) => [name, percentile(list, 0.5)]))
  return { wallMs: medians(wall), cpuMs: medians(cpu) }
}

export const measureCore = async (): Promise<Report> => {
  const home = mkdtempSync(join(tmpdir(), 'hermes-bench-start-'))
  try {
    writeHome(home)
    const { wallMs, cpuMs } = measure(home)
    const bundles = { createHermes: await bundle('createHermes'), MemoryStore: await bundle('MemoryStore') }
    const zod = wallMs['zod'] ?? Number.NaN
    const kilobytes = (bytes: number) => (bytes / 1000).toFixed(0)
    return {
      blocks: [
        table(
          ['new process', 'p50 ms', 'processor ms', '÷ zod'],
          Object.entries(wallMs).map(([name, ms]) => [
            name,
            ms.toFixed(0),
            (cpuMs[name] ?? Number.NaN).toFixed(0),
            `${(ms / zod).toFixed(2)} ×`,
          ]),
        ),
        table(
          ['bundle, kB minified and gzipped', 'at once', 'as one file'],
          Object.entries(bundles).map(([name, { start, all }]) => [name, kilobytes(start), kilobytes(all)]),
        ),
      ],
    }
  } finally {
    rmSync(home, { recursive: true, force: true })
  }
}
