/** Where the records of one append lie: day folders and names that sort by time, so a reader needs no index. */
import { JOURNAL_FOLDER } from '../storage/storage-paths.ts'

/** `journal/<YYYY-MM-DD>/<HHmmssSSS>-<id>.jsonl`, in UTC. */
export const journalPath = (at: number, id: string): string => {
  const [day = '', time = ''] = new Date(at).toISOString().split('T')
  return `${JOURNAL_FOLDER}/${day}/${time.replace(/[^0-9]/g, '')}-${id}.jsonl`
}

const named = /(\d{4}-\d{2}-\d{2})\/(\d{2})(\d{2})(\d{2})(\d{3})-[^/]+\.jsonl$/

/** Epoch milliseconds, or undefined for a document that is not the journal's own. */
export const timeOfJournalPath = (path: string): number | undefined => {
  const match = named.exec(path)
  if (!match) return undefined
  const [, day, hours, minutes, seconds, milliseconds] = match
  const at = Date.parse(`${day}T${hours}:${minutes}:${seconds}.${milliseconds}Z`)
  return Number.isNaN(at) ? undefined : at
}
