/** Reads the files of a folder that a team shares. Loaded when it is first read. */
import { HermesError } from '../../shared/hermes-error.ts'
import { err, ok, type Result } from '../../shared/result.ts'
import { checkPaths, makeCut, type NamedPaths } from '../cut.ts'
import { checkFolder, closedError, isBelow } from '../document-tree.ts'
import type { Cut, DocumentInfo, Paths, StorageBackend, StoredDocument } from '../storage-backend.ts'
import { statusAt, toError } from './disk.ts'
import { findDocument } from './documents.ts'
import { Home } from './home.ts'
import { listDocuments, toStored } from './list-documents.ts'

export interface SharedFolderKind {
  /** The document path of the folder. */
  readonly prefix: string
  /** What it should hold. */
  readonly holds: string
}

const isIgnored = (name: string): boolean => name.startsWith('.') || name === 'node_modules'

const readOnly = ([path]: Paths): HermesError =>
  new HermesError(
    'unwritable',
    `'${String(path).slice(0, 80)}' is in a shared folder, which is only read. Change the files there yourself.`,
    { details: { path } },
  )

const missing = (root: string, what: string, holds: string): HermesError =>
  new HermesError('not_found', `${what} at '${root}'. Name the folder that holds '${holds}'.`, { details: { path: root } })

/** Removes the target of a link: it names a path on this machine, and the reader of a skill must not see it. */
const withoutTarget = (error: HermesError): HermesError => {
  const { link, target } = error.details
  if (target === undefined) return error
  const message = `'${String(link)}' is a symbolic link that leads out of the shared folder. It is not followed.`
  return new HermesError('invalid_path', message, { details: { link } })
}

/** Below the folder; undefined for a path that is not, or is in a folder that is skipped. */
const insideOf = (path: string, prefix: string, isFolder: boolean): string | undefined => {
  const inside = path === prefix ? '' : path.slice(prefix.length + 1)
  const folders = inside.split('/').slice(0, isFolder ? undefined : -1)
  return (path === prefix || isBelow(path, prefix)) && !folders.some(isIgnored) ? inside : undefined
}

export class SharedFolder implements StorageBackend {
  readonly #home: Home
  readonly #kind: SharedFolderKind
  #isClosed = false

  constructor(root: string, kind: SharedFolderKind) {
    this.#home = new Home(root)
    this.#kind = kind
  }

  /** Not at one moment: whoever changes the files does so by hand, or with a tool that knows no lock. */
  async read(paths: Paths): Promise<Result<Cut>> {
    const named = this.#isClosed ? err(closedError()) : checkPaths(paths)
    if (!named.ok) return named
    try {
      const documents = new Map<string, StoredDocument | HermesError>()
      for (const path of named.value.documents) {
        const inside = insideOf(path, this.#kind.prefix, false)
        const document = inside ? await toStored(this.#home, inside, await findDocument(this.#home, inside)) : undefined
        if (document) documents.set(path, document instanceof Error ? withoutTarget(document) : document)
      }
      return ok(makeCut(named.value, { documents, infos: await this.#infos(named.value) }))
    } catch (cause) {
      return err(withoutTarget(toError(cause, 'read')))
    }
  }

  async #infos({ folders }: NamedPaths): Promise<readonly DocumentInfo[]> {
    const { prefix, holds } = this.#kind
    const inside = folders.flatMap((folder) => insideOf(folder === '' ? prefix : folder, prefix, true) ?? [])
    if (inside.length === 0) return []
    const root = await statusAt(this.#home.root, { followsLinks: true })
    if (!root?.isDirectory()) throw missing(this.#home.root, root ? 'There is a file, not a folder,' : 'There is no folder', holds)
    const { infos } = await listDocuments(this.#home, inside, { ignores: isIgnored })
    return infos.map((info) => ({ ...info, path: `${prefix}/${info.path}` }))
  }

  async update(paths: Paths): Promise<Result<never>> {
    return err(readOnly(paths))
  }

  async list(prefix: string): Promise<Result<readonly DocumentInfo[]>> {
    const folder = checkFolder(prefix)
    if (!this.#isClosed && !folder.ok) return folder
    const cut = await this.read([`${prefix}/`])
    return cut.ok ? ok(cut.value.list(prefix)) : cut
  }

  async close(): Promise<void> {
    this.#isClosed = true
  }
}
