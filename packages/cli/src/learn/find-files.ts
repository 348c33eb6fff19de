/** The files of a folder that may be learned from. Links are not followed, so nothing outside the folder is read. */
import type { Dirent } from 'node:fs'
import { lstat, readdir } from 'node:fs/promises'
import { basename, join, relative } from 'node:path'
import { messageOf } from '../answer.ts'
import type { Skipped } from './learn-source.ts'

export interface FoundFile {
  readonly path: string
  /** In the folder that was named. */
  readonly name: string
  readonly bytes: number
  /** Epoch milliseconds. */
  readonly changedAt: number
}

export interface FoundFiles {
  readonly files: readonly FoundFile[]
  readonly skipped: readonly Skipped[]
}

const MOST_FILES = 20_000
const MOST_LEVELS = 32
const SKIPPED_FOLDERS: ReadonlySet<string> = new Set(['node_modules'])

/** Files whose purpose is to hold a secret. */
const SECRET_FILE =
  /^(?:\.env(?:\..+)?|id_(?:rsa|dsa|ecdsa|ed25519)|\.?(?:npmrc|netrc|pgpass|htpasswd|git-credentials)|credentials(?:\.json)?)$|\.(?:pem|key|p12|pfx|keystore|jks|kdbx)$/i

const whyNot = (name: string): string | undefined => (SECRET_FILE.test(name) ? 'it is a file for secrets' : undefined)

/** `path` names a file or folder. `isWanted`: by the name of a file. Rejects if it cannot be read. */
export const findFiles = async (path: string, isWanted: (name: string) => boolean): Promise<FoundFiles> => {
  const files: FoundFile[] = []
  const skipped: Skipped[] = []
  const addFile = async (file: string, name: string) => {
    const why = whyNot(basename(file))
    const { size, mtimeMs } = await lstat(file)
    if (why !== undefined) skipped.push({ name, why })
    else files.push({ path: file, name, bytes: size, changedAt: Math.floor(mtimeMs) })
  }
  const addEntry = async (entry: Dirent, here: string, name: string, levels: number): Promise<void> => {
    if (entry.isSymbolicLink()) skipped.push({ name, why: 'it is a link, and links are not followed' })
    else if (entry.isFile() && isWanted(entry.name)) await addFile(here, name)
    // Folders of tools, such as .git.
    else if (!entry.isDirectory() || entry.name.startsWith('.') || SKIPPED_FOLDERS.has(entry.name)) return
    else if (levels >= MOST_LEVELS) skipped.push({ name, why: `it is more than ${MOST_LEVELS} folders deep` })
    else await walk(here, levels + 1)
  }
  const walk = async (folder: string, levels: number): Promise<void> => {
    const found = await readdir(folder, { withFileTypes: true })
    for (const entry of found.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
      if (files.length >= MOST_FILES) return
      const here = join(folder, entry.name)
      const name = relative(path, here)
      try {
        await addEntry(entry, here, name, levels)
      } catch (cause) {
        skipped.push({ name, why: messageOf(cause) })
      }
    }
  }
  const start = await lstat(path)
  if (start.isDirectory()) await walk(path, 0)
  else if (start.isFile()) await addFile(path, basename(path))
  else throw new Error(`'${path}' is no file and no folder${start.isSymbolicLink() ? ' but a link: name what it leads to' : ''}.`)
  if (files.length >= MOST_FILES) skipped.push({ name: path, why: `it has more than ${MOST_FILES} files: name its folders one by one` })
  return { files, skipped }
}

/** So that a file that is being written is not read twice, half each time. */
export const unchanged = async ({ path, name, bytes, changedAt }: FoundFile): Promise<void> => {
  const now = await lstat(path)
  if (now.size !== bytes || Math.floor(now.mtimeMs) !== changedAt)
    throw new Error(`${name} has changed while it was read. Run the same command again.`)
}
