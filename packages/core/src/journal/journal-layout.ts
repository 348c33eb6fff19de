/** The documents of the journal by day, from one listing. */
import { ok, type Result } from '../shared/result.ts'
import type { StorageBackend } from '../storage/storage-backend.ts'
import { JOURNAL_FOLDER } from '../storage/storage-paths.ts'
import { dayOfAppend, dayOfDocument } from './journal-path.ts'

export interface JournalLayout {
  /** Days with a day document, with its stamp. */
  readonly documents: ReadonlyMap<string, string>
  /** Days with appends that are not compacted: their paths in order of time. */
  readonly appends: ReadonlyMap<string, readonly string[]>
}

/** Newest first. */
export const daysIn = ({ documents, appends }: JournalLayout): readonly string[] =>
  [...new Set([...documents.keys(), ...appends.keys()])].sort().reverse()

/** Lists the whole journal, or a folder in it. */
export const readJournalLayout = async (storage: StorageBackend, folder: string = JOURNAL_FOLDER): Promise<Result<JournalLayout>> => {
  const listed = await storage.list(folder)
  if (!listed.ok) return listed
  const documents = new Map<string, string>()
  const appends = new Map<string, string[]>()
  for (const { path, stamp } of listed.value) {
    const document = dayOfDocument(path)
    const day = dayOfAppend(path)
    if (document !== undefined) documents.set(document, stamp)
    if (day === undefined) continue
    const paths = appends.get(day)
    if (paths) paths.push(path)
    else appends.set(day, [path])
  }
  return ok({ documents, appends })
}
