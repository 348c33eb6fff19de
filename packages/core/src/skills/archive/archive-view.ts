/** One listing of the library, as needed for archiving: which archive names are taken, and which skills hold others. Pure. */
import { HermesError } from '../../shared/hermes-error.ts'
import { isBelow } from '../../storage/document-tree.ts'
import type { DocumentInfo } from '../../storage/storage-backend.ts'
import { findSkillFolders } from '../skill-discovery.ts'
import { ARCHIVE_FOLDER } from './archive-manifest.ts'

export interface ArchiveView {
  /** Whether a name is taken in the archive, on any file system. Names that only another writer has taken show when they are claimed. */
  isTaken(entry: string): boolean
  /** Marks the name as taken. */
  take(entry: string): void
  /** Marks the name as free again. */
  free(entry: string): void
  /** `invalid` for a skill that holds other skills, since they would be moved too. */
  refuseNested(path: string): HermesError | undefined
}

/** Linear in the documents; each later query is cheap. */
export const viewArchive = (documents: readonly DocumentInfo[]): ArchiveView => {
  const taken = new Set<string>()
  for (const { path } of documents) {
    if (isBelow(path, ARCHIVE_FOLDER)) taken.add((path.slice(ARCHIVE_FOLDER.length + 1).split('/')[0] ?? '').toLowerCase())
  }
  const insiders = new Map<string, string[]>()
  for (const { path } of findSkillFolders(documents)) {
    const parts = path.split('/')
    for (let depth = 1; depth < parts.length; depth++) {
      const folder = parts.slice(0, depth).join('/')
      const inside = insiders.get(folder)
      if (inside) inside.push(path)
      else insiders.set(folder, [path])
    }
  }
  return {
    isTaken: (entry) => taken.has(entry.toLowerCase()),
    take: (entry) => void taken.add(entry.toLowerCase()),
    free: (entry) => void taken.delete(entry.toLowerCase()),
    refuseNested: (path) => {
      const candidates = insiders.get(path)
      if (!candidates) return undefined
      const message = `'${path}' contains other skills, which would be archived with it: ${candidates.join(', ')}. Move or archive those first.`
      return new HermesError('invalid', message, { details: { path, candidates } })
    },
  }
}
