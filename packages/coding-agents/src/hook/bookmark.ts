/** Up to where the transcript of a session was recorded. Holds no text of the conversation. */
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { asCount, asRecord, asText } from '@hermes/core/adapter'
import { agentsFolder } from '../home-folder.ts'

export interface Bookmark {
  /** Epoch milliseconds: what a transcript tells of before came from another session. */
  readonly since: number
  /** Byte of the transcript; of rows that were handed over, the time of the newest. */
  readonly end: number
  /** True if the model was shown something that no turn has recorded: it may hold anything. */
  readonly isUnread: boolean
  /** True if the session was shown its block. */
  readonly isShown: boolean
  /** The project that the session began in; undefined if none. */
  readonly project: string | undefined
  /** When the newest recorded turn was said, in epoch milliseconds; 0 if the transcript does not tell. */
  readonly recordedUntil: number
}

const fileOf = (session: string): string => join(agentsFolder(), `${session.replaceAll(/[^\w-]/g, '.')}.json`)

/** There while a hook records this session. */
export const recordingFile = (session: string): string => fileOf(session).replace(/\.json$/, '.recording')

/** Undefined if there is none, or none that can be read. */
export const readBookmark = async (session: string): Promise<Bookmark | undefined> => {
  try {
    const { since, end, isUnread, isShown, project, recordedUntil } = asRecord(JSON.parse(await readFile(fileOf(session), 'utf8')))
    return {
      since: asCount(since) ?? 0,
      end: asCount(end) ?? 0,
      isUnread: isUnread !== false,
      isShown: isShown === true,
      project: asText(project) || undefined,
      recordedUntil: asCount(recordedUntil) ?? 0,
    }
  } catch {
    return undefined
  }
}

export const writeBookmark = async (session: string, bookmark: Bookmark): Promise<void> => {
  const file = fileOf(session)
  await mkdir(agentsFolder(), { recursive: true, mode: 0o700 })
  const fresh = `${file}.${process.pid}`
  await writeFile(fresh, JSON.stringify(bookmark), { mode: 0o600 })
  await rename(fresh, file)
}

const RETAIN_MS = 30 * 86_400_000

/** Removes the bookmarks of sessions that nobody has continued for 30 days. */
export const removeOldBookmarks = async (now: number): Promise<void> => {
  for (const name of await readdir(agentsFolder()).catch(() => [])) {
    if (!name.endsWith('.json')) continue
    const file = join(agentsFolder(), name)
    const found = await stat(file).catch(() => undefined)
    if (found && now - found.mtimeMs > RETAIN_MS) await rm(file, { force: true })
  }
}
