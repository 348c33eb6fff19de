/** Paths of journal documents. Names sort by time, and the day documents together list the days, so that readers need no other index. */
import { JOURNAL_FOLDER } from '../storage/storage-paths.ts'

/** One document for each day with records: empty during the day, with all its records once the day is compacted. */
export const DAYS_FOLDER = `${JOURNAL_FOLDER}/days`

const DAY = String.raw`\d{4}-\d{2}-\d{2}`

const dayDocument = new RegExp(`^${DAYS_FOLDER}/(${DAY})\\.jsonl$`)
const appended = new RegExp(`^${JOURNAL_FOLDER}/(${DAY})/\\d{9}-[^/]+\\.jsonl$`)

/** `2026-03-01`, in UTC. */
export const dayOf = (at: number): string => new Date(at).toISOString().slice(0, 10)

/** `journal/days/<YYYY-MM-DD>.jsonl` */
export const dayDocumentPath = (day: string): string => `${DAYS_FOLDER}/${day}.jsonl`

/** The day of a day document; undefined for any other path. */
export const dayOfDocument = (path: string): string | undefined => dayDocument.exec(path)?.[1]

/** The folder of a day's appends that are not compacted yet. */
export const appendsFolder = (day: string): string => `${JOURNAL_FOLDER}/${day}`

/** `journal/<YYYY-MM-DD>/<HHmmssSSS>-<id>.jsonl`, in UTC. */
export const appendPath = (at: number, id: string): string => {
  const time = new Date(at).toISOString().split('T')[1] ?? ''
  return `${appendsFolder(dayOf(at))}/${time.replace(/[^0-9]/g, '')}-${id}.jsonl`
}

/** The day of an append's document; undefined for any other path. */
export const dayOfAppend = (path: string): string | undefined => appended.exec(path)?.[1]
