/** The baseline: an FTS5 table of turns, searched for any word of the question, in the order of its BM25. */
import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { type OpenRecall, PREFETCH_CHARS, type RecalledText, type RecallSubject } from './recall-subject.ts'

const TURNS_READ = 200
const TEXT_CHARS = 300

interface Row {
  readonly session: string
  readonly user: string
  readonly assistant: string
}

const toRow = (row: Record<string, unknown>): Row => ({
  session: String(row['session']),
  user: String(row['user']),
  assistant: String(row['assistant']),
})

/** Every word as a quoted term. */
const anyWord = (text: string): string => [...new Set(text.match(/[\p{L}\p{N}]+/gu) ?? [])].map((word) => `"${word}"`).join(' OR ')

const open = async (): Promise<OpenRecall> => {
  const folder = await mkdtemp(join(tmpdir(), 'hermes-bm25-'))
  const file = join(folder, 'bm25.db')
  const database = new DatabaseSync(file)
  database.exec('CREATE VIRTUAL TABLE turn USING fts5(session UNINDEXED, user, assistant)')
  const insert = database.prepare('INSERT INTO turn VALUES (?, ?, ?)')
  const find = database.prepare('SELECT session, user, assistant FROM turn WHERE turn MATCH ? ORDER BY rank LIMIT ?')
  const rows = (text: string): readonly Row[] => {
    const query = anyWord(text)
    return query === '' ? [] : find.all(query, TURNS_READ).map(toRow)
  }
  return {
    add: async (sessions) => {
      database.exec('BEGIN')
      for (const { id, turns } of sessions) for (const { user, assistant } of turns) insert.run(id, user, assistant)
      database.exec('COMMIT')
    },
    ready: async () => undefined,
    search: async ({ text }, limit) => [...new Set(rows(text).map(({ session }) => session))].slice(0, limit),
    prefetch: async ({ text }) => {
      const texts: RecalledText[] = []
      let left = PREFETCH_CHARS
      for (const { session, user, assistant } of rows(text)) {
        const shown = `${session}: ${user.slice(0, TEXT_CHARS)} / ${assistant.slice(0, TEXT_CHARS)}`
        if (shown.length > left) break
        left -= shown.length
        texts.push({ text: shown, sessionId: session })
      }
      return texts
    },
    size: async () => (await stat(file)).size,
    close: async () => {
      database.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

export const bareBm25: RecallSubject = { name: 'bare BM25', open, end: async () => undefined }
