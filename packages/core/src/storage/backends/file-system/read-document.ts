/** Reads one document of the home, even while links on its path are being changed. */
import { err, ok, type Result } from '../../../shared/result.ts'
import { notADocument } from '../../document-tree.ts'
import type { StoredDocument } from '../../storage-backend.ts'
import { readDocumentFile } from './document-file.ts'
import { linksKeepChanging, orDisplaced } from './pinned-folder.ts'
import type { ReadableHome } from './readable-home.ts'
import { holdsDocuments } from './walk-documents.ts'

const MAX_ATTEMPTS = 20

/** `undefined` if a link on the path was changed meanwhile. */
const readOnce = async (home: ReadableHome, path: string): Promise<Result<StoredDocument | undefined> | undefined> => {
  const resolved = await home.resolve(path)
  if (!resolved.ok) return resolved
  const { file, isMissing, blocked } = resolved.value
  if (isMissing) return ok(undefined)
  const found = blocked ? undefined : await readDocumentFile(file)
  if (found === 'special') return err(notADocument(path, 'a device, pipe or socket is there'))
  if (found === 'folder') return (await holdsDocuments(home, path, file)) ? err(notADocument(path, 'it is a folder')) : ok(undefined)
  return ok(found?.document)
}

/** `undefined` if there is none. Throws the system's errors. */
export const readDocument = async (home: ReadableHome, path: string): Promise<Result<StoredDocument | undefined>> => {
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const read = await orDisplaced(readOnce(home, path))
    if (read) return read
  }
  return err(linksKeepChanging(path))
}
