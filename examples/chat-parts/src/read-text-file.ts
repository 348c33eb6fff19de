/** Reads a text file below a folder for a model: no way out of the folder, no links, no secrets, nothing large or binary. */
import { constants } from 'node:fs'
import { type FileHandle, lstat, open, realpath } from 'node:fs/promises'
import { basename, isAbsolute, join, relative, resolve, sep } from 'node:path'

export const MAX_FILE_BYTES = 64 * 1024

/** Names of files and folders that usually hold keys or passwords. Templates of them do not. */
const SECRET =
  /^(?:\.env(?:\..+)?|\.envrc|\.netrc|\.pgpass|\.npmrc|\.pypirc|\.git-credentials|\.htpasswd|\.ssh|\.aws|\.gnupg|\.kube|\.docker|id_(?:rsa|dsa|ecdsa|ed25519)|credentials(?:\..+)?|secrets?(?:\..+)?|.+\.(?:pem|key|p12|pfx|jks|keystore|kdbx))$/i
const TEMPLATE = /\.(?:example|sample|template|dist)$/i

const isSecret = (path: string): boolean => path.split(/[\\/]/).some((name) => SECRET.test(name) && !TEMPLATE.test(name))

export type ReadText = { readonly text: string } | { readonly problem: string }

const codeOf = (cause: unknown): string => (cause instanceof Error && 'code' in cause ? String(cause.code) : '')

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  ENOTDIR: 'there is no such file',
  EACCES: 'it may not be read',
  EPERM: 'it may not be read',
  ELOOP: 'it is a link, and links are not followed',
}

const readOpen = async (file: FileHandle, full: string): Promise<ReadText> => {
  const [opened, there] = await Promise.all([file.stat(), lstat(full)])
  if (!opened.isFile()) return { problem: 'it is not a file' }
  // Exchanged for a link while it was checked.
  if (opened.ino !== there.ino || opened.dev !== there.dev) return { problem: 'it has just changed; try again' }
  if (opened.size > MAX_FILE_BYTES) {
    return { problem: `it has ${Math.ceil(opened.size / 1024)} KiB, and at most ${MAX_FILE_BYTES / 1024} are read` }
  }
  const bytes = await file.readFile()
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    return text.includes('\0') ? { problem: 'it is not text' } : { text }
  } catch {
    return { problem: 'it is not text in UTF-8' }
  }
}

const readInside = async (folder: string, path: string): Promise<ReadText> => {
  const root = await realpath(folder)
  const full = resolve(root, path)
  const inside = relative(root, full)
  if (isAbsolute(path) || inside === '..' || inside.startsWith(`..${sep}`) || isAbsolute(inside))
    return { problem: `only files below ${root} are read, by a path relative to it` }
  if (isSecret(inside)) return { problem: `a file named ${basename(full)} usually holds keys or passwords, so it is not shown to a model` }
  if ((await realpath(full)) !== join(root, inside)) return { problem: REASONS['ELOOP'] ?? '' }
  const file = await open(full, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  return readOpen(file, full).finally(() => file.close())
}

/** `folder`: absolute. `path`: relative to it, as a model gives it. Never rejects; a problem is a sentence. */
export const readTextFile = async (folder: string, path: string): Promise<ReadText> => {
  const read = await readInside(folder, path).catch(
    (cause: unknown): ReadText => ({ problem: REASONS[codeOf(cause)] ?? `reading failed (${codeOf(cause) || String(cause)})` }),
  )
  return 'text' in read ? read : { problem: `'${path.slice(0, 200)}' is not read: ${read.problem}.` }
}
