/** Reads one document of the home, even while links on its path are being changed. */
import { err, ok, type Result } from '../../../shared/result.ts'
import { notADocument } from '../../document-tree.ts'
import type { StoredDocument } from '../../storage-backend.ts'
import { readNow } from './blocking-reads.ts'
import { readDocumentFile } from './document-file.ts'
import type { ReadableHome } from './home.ts'
import { linksKeepChanging, orDisplaced } from './pinned-folder.ts'
import { holdsDocuments } from './walk-documents.ts'

const MAX_ATTEMPTS = 20

/** `undefined` if there is no file where it is expected. */
const readExpected = async (home: ReadableHome, path: string): Promise<StoredDocument | undefined> => {
  const place = await home.expect(path)
  const now = place && home.blocksToRead ? readNow(place) : undefined
  if (now) return now
  const found = place && (await orDisplaced(readDocumentFile(place.file, place.way)))
  return typeof found === 'object' ? found.document : undefined
}

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
  const expected = await readExpected(home, path)
  if (expected) return ok(expected)
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const read = await orDisplaced(readOnce(home, path))
    if (read) return read
  }
  return err(linksKeepChanging(path))
}
