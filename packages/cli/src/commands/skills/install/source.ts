/** What a person names to install from: a folder, a tarball, a git repository or a package of npm. */

import { execFile } from 'node:child_process'
import { existsSync, statSync } from 'node:fs'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { type Failure, usage } from '../../../answer.ts'
import { hidePasswords } from '../../../terminal/hide-passwords.ts'
import type { World } from '../../../world.ts'
import { BadSource, readFolder, readTarball, type SourceFile } from './source-files.ts'

export type Source =
  | { readonly kind: 'folder' | 'tarball'; readonly path: string }
  | { readonly kind: 'git'; readonly url: string; readonly ref: string | undefined }
  | { readonly kind: 'npm'; readonly spec: string }

const PACKAGE = /^(?:@[a-z0-9~-][\w.~-]*\/)?[a-z0-9~-][\w.~-]*(?:@[\w.^~*+ <>=|-]+)?$/i
const SCP = /^[\w.-]+@[\w.-]+:[^:]/
const PATH = /^(?:\.{1,2}|~)?[\\/]|^\.{1,2}$|^~$|^[a-z]:[\\/]/i
const GIT_PROTOCOLS: ReadonlySet<string> = new Set(['https:', 'ssh:', 'file:'])

const readGit = (text: string): Source => {
  const at = text.lastIndexOf('#')
  return { kind: 'git', url: at < 0 ? text : text.slice(0, at), ref: at < 0 ? undefined : text.slice(at + 1) }
}

/** `git+https:` is how npm writes it. */
const readUrl = (text: string): Source | Failure => {
  const plain = text.replace(/^git\+/, '')
  const [protocol = ''] = /^[a-z][a-z0-9+.-]*:/i.exec(plain) ?? []
  if (!GIT_PROTOCOLS.has(protocol.toLowerCase()) || plain.slice(protocol.length, protocol.length + 2) !== '//')
    return usage(`'${protocol}' is not a protocol to install from. Use https://, ssh:// or file://, or git@host:path.`)
  return readGit(plain)
}

const readPath = (path: string): Source | Failure => {
  const found = existsSync(path) ? statSync(path) : undefined
  if (found?.isDirectory()) return { kind: 'folder', path }
  if (found?.isFile() && /\.(?:tgz|tar\.gz)$/i.test(path)) return { kind: 'tarball', path }
  if (found) return usage(`'${path}' is neither a folder nor a .tgz file.`)
  return usage(`There is no '${path}'.`)
}

/** A path begins with `./`, `~/` or `/`; any other plain name is a package. */
export const readSource = (text: string, userHome: string): Source | Failure => {
  if (PATH.test(text)) return readPath(text.startsWith('~') ? join(userHome, text.slice(1)) : resolve(text))
  if (SCP.test(text)) return readGit(text)
  if (/^[a-z][a-z0-9+.-]*:/i.test(text)) return readUrl(text)
  if (/\.(?:tgz|tar\.gz)$/i.test(text)) return readPath(resolve(text))
  if (PACKAGE.test(text)) return { kind: 'npm', spec: text }
  return usage(`'${text}' is neither a package, nor a git address, nor a path. For a folder, give a path that begins with ./`)
}

/** What `source` in the lock calls it. */
export const sourceName = ({ kind }: Source): string => (kind === 'npm' || kind === 'git' ? kind : 'local')

export interface FetchedSource {
  readonly files: readonly SourceFile[]
  /** What the lock remembers: `my-skills@1.2.0`, an address and a commit, a path. */
  readonly identifier: string
}

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

/** Rejects with a `BadSource`. */
export const fetchSource = async (source: Source, { env }: World): Promise<FetchedSource> => {
  if ('path' in source) {
    const files = source.kind === 'folder' ? await readFolder(source.path) : await readTarball(source.path)
    return { files, identifier: source.path }
  }
  const folder = await mkdtemp(join(tmpdir(), 'hermes-install-'))
  try {
    return source.kind === 'npm' ? await fetchPackage(source.spec, folder, env) : await fetchGit(source, folder, env)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
