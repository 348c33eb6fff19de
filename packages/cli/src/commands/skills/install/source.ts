/** What a person names to install from: a folder, a tarball, a git repository or a package of npm. */
import { existsSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { EXIT, type Failure } from '../../../answer.ts'

export type Source =
  | { readonly kind: 'folder' | 'tarball'; readonly path: string }
  | { readonly kind: 'git'; readonly url: string; readonly ref: string | undefined }
  | { readonly kind: 'npm'; readonly spec: string }

const PACKAGE = /^(?:@[a-z0-9~-][\w.~-]*\/)?[a-z0-9~-][\w.~-]*(?:@[\w.^~*+ <>=|-]+)?$/i
const SCP = /^[\w.-]+@[\w.-]+:[^:]/
const PATH = /^(?:\.{1,2}|~)?[\\/]|^\.{1,2}$|^~$|^[a-z]:[\\/]/i
const GIT_PROTOCOLS: ReadonlySet<string> = new Set(['https:', 'ssh:', 'file:'])

const wrong = (message: string): Failure => ({ code: 'usage', message, exitCode: EXIT.usage })

const readGit = (text: string): Source => {
  const at = text.lastIndexOf('#')
  return { kind: 'git', url: at < 0 ? text : text.slice(0, at), ref: at < 0 ? undefined : text.slice(at + 1) }
}

/** `git+https:` is how npm writes it. */
const readUrl = (text: string): Source | Failure => {
  const plain = text.replace(/^git\+/, '')
  const [protocol = ''] = /^[a-z][a-z0-9+.-]*:/i.exec(plain) ?? []
  if (!GIT_PROTOCOLS.has(protocol.toLowerCase()) || plain.slice(protocol.length, protocol.length + 2) !== '//')
    return wrong(`'${protocol}' is not a protocol to install from. Use https://, ssh:// or file://, or git@host:path.`)
  return readGit(plain)
}

const readPath = (path: string): Source | Failure => {
  const found = existsSync(path) ? statSync(path) : undefined
  if (found?.isDirectory()) return { kind: 'folder', path }
  if (found?.isFile() && /\.(?:tgz|tar\.gz)$/i.test(path)) return { kind: 'tarball', path }
  if (found) return wrong(`'${path}' is neither a folder nor a .tgz file.`)
  return wrong(`There is no '${path}'.`)
}

/** A path begins with `./`, `~/` or `/`; any other plain name is a package. */
export const readSource = (text: string, userHome: string): Source | Failure => {
  if (PATH.test(text)) return readPath(text.startsWith('~') ? join(userHome, text.slice(1)) : resolve(text))
  if (SCP.test(text)) return readGit(text)
  if (/^[a-z][a-z0-9+.-]*:/i.test(text)) return readUrl(text)
  if (/\.(?:tgz|tar\.gz)$/i.test(text)) return readPath(resolve(text))
  if (PACKAGE.test(text)) return { kind: 'npm', spec: text }
  return wrong(`'${text}' is neither a package, nor a git address, nor a path. For a folder, give a path that begins with ./`)
}

export const isFailure = <T extends object>(value: T | Failure): value is Failure => 'message' in value && 'code' in value

/** What `source` in the lock calls it. */
export const sourceName = ({ kind }: Source): string => (kind === 'npm' || kind === 'git' ? kind : 'local')
