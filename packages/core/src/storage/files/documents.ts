/** Finds the documents of a home, one by one and below folders. Links inside the home are followed, links out of it are not. */
import type { BigIntStats } from 'node:fs'
import { HermesError } from '../../shared/hermes-error.ts'
import { notADocument } from '../document-tree.ts'
import { isSystemError, open, readAt, statusAt, statusOf, TO_READ, toError, withFile } from './disk.ts'
import type { Home } from './home.ts'
import { onlyGrows } from './names.ts'
import { fs } from './node-fs.ts'

/** What is at the path of a document. `file`: where it is or would be, links followed. `isAliased`: a link gives it another name, too. */
export type Found =
  /** `under`: a document is in the place of this folder above it. */
  | { readonly kind: 'none'; readonly file: string; readonly isAliased: boolean; readonly under?: string | undefined }
  /** `bytes`: unless it is larger than was asked for. */
  | {
      readonly kind: 'document'
      readonly file: string
      readonly isAliased: boolean
      readonly size: number
      readonly executable: boolean
      readonly bytes: Uint8Array | undefined
      /** Of what this process has written under the lock that it holds: its beginning, without the times. */
      readonly stamp: string
    }
  | { readonly kind: 'folder'; readonly file: string }
  | { readonly kind: 'fault'; readonly error: HermesError }

/** The file, without its content. */
export const identityOf = ({ dev, ino }: BigIntStats): string => `${dev}:${ino}`

/** Links give one file several names. */
export const isSameFile = (a: Found, b: Found): boolean => {
  const identityIn = (stamp: string) => stamp.split(':', 2).join(':')
  if (a.kind === 'document' && b.kind === 'document') return identityIn(a.stamp) === identityIn(b.stamp)
  return a.kind === 'none' && b.kind === 'none' && a.file === b.file
}

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
  const isElsewhere = file !== (await home.straightFileOf(path))
  const documentOf = (status: BigIntStats) =>
    ({
      kind: 'document',
      file,
      isAliased: isElsewhere || status.nlink > 1n,
      executable: (status.mode & OWNER_MAY_EXECUTE) !== 0n,
      stamp: stampOf(status),
    }) as const
  const there = mostBytes === 0 ? await statusAt(file) : undefined
  if (there?.isFile()) return { ...documentOf(there), size: Number(there.size), bytes: undefined }
  let opened: number
  try {
    opened = await open(file, TO_READ)
  } catch (error) {
    if (isSystemError(error, 'ENOENT')) return { kind: 'none', file, isAliased: isElsewhere }
    if (isSystemError(error, 'ENOTDIR')) return { kind: 'none', file, isAliased: isElsewhere, under: await documentAbove(home, path) }
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
    const size = Number(status.size)
    const document = documentOf(status)
    if (size > mostBytes) return { ...document, size, bytes: undefined }
    if (size > MOST_BYTES) return { kind: 'fault', error: tooLarge(path, size) }
    // It may be larger than it says: one of /proc, or one that is being written to.
    const isWhole = first !== undefined && first.length < FIRST_BYTES && first.length === size
    // Without the rest of its buffer, which a reader would keep.
    const bytes = isWhole ? first.slice() : bytesOf(await fs.promises.readFile(file))
    return { ...document, size: bytes.length, bytes }
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

// Larger ones are read only for a plan that asks for them.
const READ_AHEAD = 64 * 1024

/** What has been found since the lock was taken, and what plans have made of it; nobody else who takes the lock has changed it. */
export class FoundDocuments {
  readonly #home: Home
  readonly #found = new Map<string, Promise<Found>>()

  constructor(home: Home) {
    this.#home = home
  }

  /** Begins to read. */
  find(path: string, mostBytes = onlyGrows(path) ? 0 : READ_AHEAD): Promise<Found> {
    const known = this.#found.get(path)
    if (known !== undefined) return known
    const found = findDocument(this.#home, path, mostBytes)
    this.#found.set(path, found)
    // The next one who asks looks again.
    const forget = () => this.#found.get(path) === found && this.#found.delete(path)
    found.then(({ kind }) => kind === 'fault' && forget(), forget)
    return found
  }

  /** With its bytes, however many. */
  async findWhole(path: string): Promise<Found> {
    const found = await this.find(path, Number.POSITIVE_INFINITY)
    if (found.kind !== 'document' || found.bytes) return found
    this.#found.delete(path)
    return this.find(path, Number.POSITIVE_INFINITY)
  }

  set(path: string, found: Found): void {
    this.#found.set(path, Promise.resolve(found))
  }

  clear(): void {
    this.#found.clear()
  }
}
