/** Finds the documents of a home, one by one and below folders. Links inside the home are followed, links out of it are not. */
import type { BigIntStats } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { HermesError } from '../../shared/hermes-error.ts'
import { notADocument } from '../document-tree.ts'
import { open, readAt, statusAt, statusOf, TO_READ, withFile } from './disk.ts'
import type { Home } from './home.ts'
import { isSystemError, toIoError } from './io-error.ts'

/** What is at the path of a document. `file`: where it is or would be, links followed. */
export type Found =
  /** `under`: a document is in the place of this folder above it. */
  | { readonly kind: 'none'; readonly file: string; readonly under?: string | undefined }
  /** `bytes`: unless it is larger than was asked for. */
  | {
      readonly kind: 'document'
      readonly file: string
      readonly size: number
      readonly executable: boolean
      readonly bytes: Uint8Array | undefined
      /** Of what this process has written under the lock that it holds: its beginning, without the times. */
      readonly stamp: string
    }
  | { readonly kind: 'folder'; readonly file: string }
  | { readonly kind: 'fault'; readonly error: HermesError }

/** An error of the system or of the library as a value; any other is a mistake in the program and thrown. */
export const toError = (cause: unknown, doing: 'read' | 'write', path = ''): HermesError => {
  if (HermesError.isInstance(cause)) return cause
  if (isSystemError(cause)) return toIoError(cause, doing, path)
  throw cause
}

/** The file, without its content. */
export const identityOf = ({ dev, ino }: BigIntStats): string => `${dev}:${ino}`

/** The same, of a stamp. */
export const identityIn = (stamp: string): string => stamp.split(':', 2).join(':')

/** Differs after a file was replaced or written to, except twice within the resolution of the file system's clock. */
export const stampOf = (status: BigIntStats): string => `${identityOf(status)}:${status.size}:${status.mtimeNs}:${status.ctimeNs}`

const OWNER_MAY_EXECUTE = 0o100n

/** What Node reads at once. */
const MOST_BYTES = 2 ** 31 - 1

const tooLarge = (path: string, size: number): HermesError =>
  new HermesError('unreadable', `'${path}' has ${size} bytes, which is too long for a document. Move it away.`, { details: { path } })

const special = (path: string): Found => ({ kind: 'fault', error: notADocument(path, 'a device, pipe or socket is there') })

const documentAbove = async (home: Home, path: string): Promise<string | undefined> => {
  for (let end = path.indexOf('/'); end > 0; end = path.indexOf('/', end + 1)) {
    const folder = path.slice(0, end)
    if (!(await statusAt(await home.folderAt(folder)))?.isDirectory()) return folder
  }
  return undefined
}

/** Small documents are read while their size is being asked for. */
const FIRST_BYTES = 16 * 1024

/** Without a copy, which takes longer than reading if the document is large. */
const bytesOf = ({ buffer, byteOffset, byteLength }: Buffer): Uint8Array => new Uint8Array(buffer, byteOffset, byteLength)

const lookAt = async (home: Home, path: string, file: string, mostBytes: number): Promise<Found | 'link'> => {
  let opened: number
  try {
    opened = await open(file, TO_READ)
  } catch (error) {
    if (isSystemError(error, 'ENOENT')) return { kind: 'none', file }
    if (isSystemError(error, 'ENOTDIR')) return { kind: 'none', file, under: await documentAbove(home, path) }
    if (isSystemError(error, 'ELOOP', 'EMLINK')) return 'link'
    if (isSystemError(error, 'ENXIO', 'EOPNOTSUPP')) return special(path)
    // Windows cannot open folders.
    if (isSystemError(error, 'EISDIR', 'EPERM', 'EACCES') && (await statusAt(file))?.isDirectory()) return { kind: 'folder', file }
    throw error
  }
  return withFile(opened, async () => {
    const [status, first] = await Promise.all([statusOf(opened), readAt(opened, 0, FIRST_BYTES).catch(() => undefined)])
    if (status.isDirectory()) return { kind: 'folder', file }
    if (!status.isFile()) return special(path)
    const executable = (status.mode & OWNER_MAY_EXECUTE) !== 0n
    const size = Number(status.size)
    if (size > mostBytes) return { kind: 'document', file, size, executable, bytes: undefined, stamp: stampOf(status) }
    if (size > MOST_BYTES) return { kind: 'fault', error: tooLarge(path, size) }
    // It may be larger than it says: one of /proc, or one that is being written to.
    const isWhole = first !== undefined && first.length < FIRST_BYTES && first.length === size
    const bytes = isWhole ? first : bytesOf(await readFile(file))
    return { kind: 'document', file, size: bytes.length, executable, bytes, stamp: stampOf(status) }
  })
}

/** An error of the system is a finding: it fails only who asks for this document. */
export const findDocument = async (home: Home, path: string, mostBytes = Number.POSITIVE_INFINITY): Promise<Found> => {
  try {
    const found = await lookAt(home, path, await home.fileOf(path), mostBytes)
    if (found !== 'link') return found
    const target = await lookAt(home, path, await home.followLink(path), mostBytes)
    if (target !== 'link') return target
    throw new HermesError('invalid_path', `The symbolic links at '${path}' keep changing. Try again when nobody changes them.`)
  } catch (cause) {
    return { kind: 'fault', error: toError(cause, 'read', path) }
  }
}

/** Whether what was found is still there, as far as the stamp tells. */
export const isStillThere = async (found: Found): Promise<boolean> => {
  if (found.kind === 'fault') return true
  const status = await statusAt(found.file)
  if (found.kind === 'none') return status === undefined
  if (found.kind === 'folder') return status?.isDirectory() === true
  return status !== undefined && `${stampOf(status)}:`.startsWith(`${found.stamp}:`)
}
