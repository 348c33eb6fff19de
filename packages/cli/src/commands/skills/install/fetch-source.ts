/** Gets a source and reads its files. Runs no code of it: no scripts of packages, no hooks, no submodules. */
import { execFile } from 'node:child_process'
import { lstat, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { currentProcess, isProcessRunning } from '@hermes/core/file-system'
import { hidePasswords } from '../../../terminal/hide-passwords.ts'
import type { World } from '../../../world.ts'
import type { Source } from './source.ts'
import { BadSource, readFolder, readTarball, type SourceFile } from './source-files.ts'

export interface FetchedSource {
  readonly files: readonly SourceFile[]
  /** What the lock remembers: `my-skills@1.2.0`, an address and a commit, a path. */
  readonly identifier: string
}

// The folder into which a source is fetched, in the system's folder for temporary files.

const SOURCE_FOLDER = 'hermes-install-'

/** Fetching a source takes minutes. */
const ABANDONED_AFTER_MS = 3_600_000

const markOf = (at: number): string => `${currentProcess.pid}-${currentProcess.host}-${at}`

/** False for a folder that does not name its process. */
export const isAbandoned = (name: string, now: number): boolean => {
  const [, pid, host, at] = /^hermes-install-(\d+)-([0-9a-f]+)-(\d+)-/.exec(name) ?? []
  if (pid === undefined) return false
  return now - Number(at) > ABANDONED_AFTER_MS || (host === currentProcess.host && !isProcessRunning(Number(pid)))
}

/** Root could remove the folders of other users too. `getuid` is missing on Windows, where each user has a folder of their own. */
const removeOwn = async (path: string): Promise<void> => {
  const { uid } = await lstat(path)
  if (process.getuid === undefined || uid === process.getuid()) await rm(path, { recursive: true, force: true })
}

/** A folder of its own for a source. Those that killed processes of this user left are removed first; one that cannot be removed stays. */
export const makeSourceFolder = async (now: number): Promise<string> => {
  const parent = tmpdir()
  for (const name of await readdir(parent).catch(() => [])) {
    if (isAbandoned(name, now)) await removeOwn(join(parent, name)).catch(() => {})
  }
  return mkdtemp(join(parent, `${SOURCE_FOLDER}${markOf(now)}-`))
}

// Fetching.

const run = promisify(execFile)

const LIMIT_MS = 120_000

/** The last lines of what a program said are the ones that say why. */
const tellWhy = (program: string, cause: unknown): BadSource => {
  const code: unknown = Reflect.get(Object(cause), 'code')
  if (code === 'ENOENT') return new BadSource(`${program} is needed for this source and is not installed here.`)
  const said = String(Reflect.get(Object(cause), 'stderr') ?? '')
  const lines = said.split('\n').filter((line) => line.trim() !== '' && !line.includes('A complete log'))
  const why = lines.slice(-3).join(' ') || (cause instanceof Error ? cause.message : String(cause))
  return new BadSource(`${program} could not get it: ${hidePasswords(why)}`)
}

type Environment = World['env']

const call = async (program: string, args: readonly string[], cwd: string, env: Environment): Promise<string> => {
  try {
    const { stdout } = await run(program, [...args], { cwd, env: { ...env }, timeout: LIMIT_MS, maxBuffer: 10_000_000 })
    return stdout
  } catch (cause) {
    throw tellWhy(program, cause)
  }
}

const GIT_SETTINGS = ['-c', 'core.hooksPath=/dev/null', '-c', 'core.fsmonitor=false', '-c', 'protocol.ext.allow=never']

const fetchGit = async ({ url, ref }: Extract<Source, { kind: 'git' }>, folder: string, env: Environment): Promise<FetchedSource> => {
  const safe = { ...env, GIT_ALLOW_PROTOCOL: 'https:ssh:file', GIT_TERMINAL_PROMPT: '0', GIT_LFS_SKIP_SMUDGE: '1' }
  const branch = ref === undefined ? [] : ['--branch', ref]
  const clone = ['clone', '--quiet', '--depth', '1', '--no-tags', '--no-recurse-submodules', '--template=', ...branch, '--', url, 'source']
  await call('git', [...GIT_SETTINGS, ...clone], folder, safe)
  const commit = (await call('git', [...GIT_SETTINGS, 'rev-parse', 'HEAD'], join(folder, 'source'), safe)).trim()
  return { files: await readFolder(join(folder, 'source')), identifier: `${hidePasswords(url)}#${commit}` }
}

const fetchPackage = async (spec: string, folder: string, env: Environment): Promise<FetchedSource> => {
  const told = await call('npm', ['pack', '--ignore-scripts', '--json', '--loglevel', 'error', '--', spec], folder, env)
  const file = (await readdir(folder)).find((name) => name.endsWith('.tgz'))
  if (file === undefined) throw new BadSource(`npm did not pack '${spec}'.`)
  return { files: await readTarball(join(folder, file)), identifier: packedName(told) ?? spec }
}

const packedName = (told: string): string | undefined => {
  try {
    const id: unknown = Reflect.get(Object(Object.values(Object(JSON.parse(told)))[0]), 'id')
    return typeof id === 'string' ? id : undefined
  } catch {
    return undefined
  }
}

/** Rejects with a `BadSource`. `now`: epoch milliseconds. */
export const fetchSource = async (source: Source, { env }: World, now: number): Promise<FetchedSource> => {
  if ('path' in source) {
    const files = source.kind === 'folder' ? await readFolder(source.path) : await readTarball(source.path)
    return { files, identifier: source.path }
  }
  const folder = await makeSourceFolder(now)
  try {
    return source.kind === 'npm' ? await fetchPackage(source.spec, folder, env) : await fetchGit(source, folder, env)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
