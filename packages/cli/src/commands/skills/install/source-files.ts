/** Reads the files of a source, with limits, and without following links. */
import { createReadStream } from 'node:fs'
import { lstat, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline, Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { formatBytes } from '../../../terminal/format.ts'

export interface SourceFile {
  /** Relative to the source, with `/`. */
  readonly path: string
  /** Undefined for what is not a plain file, such as a link, and for a file that is too large. */
  readonly bytes: Uint8Array | undefined
  readonly executable: boolean
  /** Why there are no bytes: a clause. */
  readonly fault?: string
}

const MAX_FILES = 5_000
const MAX_FILE_BYTES = 2_000_000
const MAX_TOTAL_BYTES = 50_000_000

const SKIPPED: ReadonlySet<string> = new Set(['.git', 'node_modules', '.hub', '.archive'])

/** What stops an installation: its message is shown. */
export class BadSource extends Error {}

const createLimits = () => {
  let [files, bytes] = [0, 0]
  return (size: number): void => {
    files += 1
    bytes += size
    if (files > MAX_FILES) throw new BadSource(`The source has more than ${MAX_FILES} files. Install from a smaller folder.`)
    if (bytes > MAX_TOTAL_BYTES)
      throw new BadSource(`The source is larger than ${formatBytes(MAX_TOTAL_BYTES)}. Install from a smaller folder.`)
  }
}

const TOO_LARGE = `it is larger than ${formatBytes(MAX_FILE_BYTES)}`

const readEntry = async (folder: string, path: string, count: (size: number) => void): Promise<SourceFile> => {
  const found = await lstat(join(folder, path))
  const executable = (found.mode & 0o111) !== 0
  if (found.isSymbolicLink()) return { path, bytes: undefined, executable: false, fault: 'it is a symbolic link' }
  if (!found.isFile()) return { path, bytes: undefined, executable: false, fault: 'it is not a plain file' }
  if (found.size > MAX_FILE_BYTES) return { path, bytes: undefined, executable, fault: TOO_LARGE }
  count(found.size)
  return { path, bytes: new Uint8Array(await readFile(join(folder, path))), executable }
}

export const readFolder = async (folder: string): Promise<readonly SourceFile[]> => {
  const count = createLimits()
  const files: SourceFile[] = []
  const waiting = ['']
  for (let below = waiting.shift(); below !== undefined; below = waiting.shift()) {
    for (const entry of await readdir(join(folder, below), { withFileTypes: true })) {
      const path = below === '' ? entry.name : `${below}/${entry.name}`
      if (SKIPPED.has(entry.name)) continue
      if (entry.isDirectory()) waiting.push(path)
      else files.push(await readEntry(folder, path, count))
    }
  }
  return files
}

const isInside = (path: string): boolean => !path.split('/').some((part) => part === '..' || part === '') && !/[\\\0]|^[a-z]:/i.test(path)

/** Of a tarball as npm packs it: all in one folder, usually `package`. Nothing is unpacked to the disk. */
export const readTarball = async (file: string): Promise<readonly SourceFile[]> => {
  const { createTarDecoder } = await import('modern-tar')
  const count = createLimits()
  const files: SourceFile[] = []
  // `pipe` would throw an error of the file as an uncaught one; the reader of the result gets it here.
  const unzipping = pipeline(createReadStream(file), createGunzip(), () => undefined)
  const unzipped = Readable.toWeb(unzipping) as ReadableStream<Uint8Array>
  try {
    for await (const { header, body } of unzipped.pipeThrough(createTarDecoder())) {
      const path = header.name.split('/').slice(1).join('/').replace(/\/$/, '')
      const isFile = header.type === 'file' || header.type === undefined
      if (header.type === 'directory' || path === '') {
        await body.cancel()
        continue
      }
      if (!isInside(path))
        throw new BadSource(`The tarball has a file outside of its folder, '${header.name}', so nothing is installed from it.`)
      if (!isFile || header.size > MAX_FILE_BYTES) {
        count(0)
        await body.cancel()
        files.push({ path, bytes: undefined, executable: false, fault: isFile ? TOO_LARGE : 'it is not a plain file' })
        continue
      }
      count(header.size)
      files.push({ path, bytes: new Uint8Array(await new Response(body).arrayBuffer()), executable: ((header.mode ?? 0) & 0o111) !== 0 })
    }
  } catch (cause) {
    if (cause instanceof BadSource) throw cause
    throw new BadSource(`'${file}' cannot be read as a .tgz file: ${cause instanceof Error ? cause.message : String(cause)}`)
  }
  return files
}
