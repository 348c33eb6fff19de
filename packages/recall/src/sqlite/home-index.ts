/** The index of one home: each method is a row of short pieces of work on its database. */
import { statSync } from 'node:fs'
import { HermesError } from '@hermes/core'
import type { HomeRecallIndex, IndexAnswer, RecallIndexHome, RecallItem, SessionSummary } from '../recall-index.ts'
import { checkFile } from './check-file.ts'
import type { OpenConnection } from './driver.ts'
import { type FoundPiece, findItems, type ItemTarget } from './forget-items.ts'
import { removeFiles, removeSetAside } from './index-files.ts'
import { getState, type ItemRow, insertItem, removeItems, toItem } from './items.ts'
import { emptyTerms, startRebuild } from './rebuild.ts'
import { openRecallFile } from './recall-file.ts'
import { createTermFrequencies, searchTerms, VOCABULARY } from './search-terms.ts'
import { sqliteVectors } from './sqlite-vectors.ts'
import { rows, sql } from './statements.ts'
import { createUpkeep } from './upkeep.ts'

/** Items that are stored in one piece: as many as take a few milliseconds. */
const PIECE_CHARS = 20_000
const PIECE_ITEMS = 16

const inPieces = (items: readonly RecallItem[]): readonly (readonly RecallItem[])[] => {
  const pieces: RecallItem[][] = []
  let chars = PIECE_CHARS
  for (const item of items) {
    const piece = pieces.at(-1)
    const size = item.user.length + item.answer.length
    if (piece && piece.length < PIECE_ITEMS && chars + size <= PIECE_CHARS) {
      piece.push(item)
      chars += size
    } else {
      pieces.push([item])
      chars = size
    }
  }
  return pieces
}

const NOTHING: IndexAnswer = { hits: [], items: 0, frequencies: new Map(), meanLength: 0 }

interface SessionRow {
  readonly source: string
  readonly project: string
  readonly first_at: number
  readonly last_at: number
  readonly turns: number
  readonly automated: number
  readonly opening: string
}

const toSummary = (row: SessionRow): SessionSummary => ({
  sessionId: row.source,
  ...(row.project === '' ? {} : { project: row.project }),
  firstAt: row.first_at,
  lastAt: row.last_at,
  turns: row.turns,
  automated: row.automated === 1,
  opening: row.opening,
})

const RECENT =
  "select * from sessions where last_at >= ? and first_at < ? and source <> ? and (? is null or project in ('', ?)) order by last_at desc limit ?"
const EARLIER =
  "select * from items where source = ? and kind = 'turn' and (? is null or project in ('', ?)) and at < ? order by at desc, n desc limit ?"
const LATER =
  "select * from items where source = ? and kind = 'turn' and (? is null or project in ('', ?)) and at >= ? order by at, n limit ?"
const SUMS = 'select count(*) as sessions, coalesce(sum(turns), 0) as turns, min(first_at) as oldest, max(last_at) as newest from sessions'

interface Sums {
  readonly sessions: number
  readonly turns: number
  readonly oldest: number | null
  readonly newest: number | null
}

export const openHomeIndex = (folder: string, top: string, openConnection: OpenConnection, home: RecallIndexHome): HomeRecallIndex => {
  const frequencies = createTermFrequencies()
  const file = openRecallFile(folder, openConnection, home.clock, {
    wasDamaged(aside, cause) {
      const reason = cause instanceof Error ? cause.message : String(cause)
      home.report(
        new HermesError(
          'unreadable',
          `The recall index was damaged (${reason}). It was moved to '${aside}'; what can be read is copied into a new one.`,
          { cause },
        ),
      )
      upkeep.start()
    },
    resetTerms(db) {
      emptyTerms(db, home)
      upkeep.start()
    },
    opened(db) {
      db.exec(VOCABULARY)
      frequencies.clear()
      upkeep.opened(db)
    },
  })

  const add = async (items: readonly RecallItem[], areWanted = () => true): Promise<number> => {
    let added = 0
    for (const piece of inPieces(items)) {
      const terms = piece.map((item) => home.termsOf(item))
      added += await file.write(
        (db) => (areWanted() ? piece.filter((item, index) => insertItem(db, item, terms[index] ?? [])).length : 0),
        0,
      )
    }
    return added
  }

  const upkeep = createUpkeep(file, openConnection, home, add)

  /** Removes what is meant, or only counts it. */
  const remove = async (target: ItemTarget, dryRun: boolean): Promise<number> => {
    let count = 0
    for (let from: number | undefined = 0; from !== undefined; ) {
      const start: number = from
      const nothing: FoundPiece = { found: [], next: undefined }
      const piece: FoundPiece = await file.read<FoundPiece>((db) => findItems(db, target, start), nothing)
      if (!dryRun && piece.found.length > 0) await file.change<void>((db) => removeItems(db, piece.found), undefined)
      count += piece.found.length
      from = piece.next
    }
    return count
  }

  const countItems = () => file.read((db) => getState(db, 'items'), 0)

  return {
    add: (items) => add(items),
    async replaceArchived(items) {
      const kept = new Set(items.map(({ kind, id }) => `${kind} ${id}`))
      const stored = await file.read(
        (db) => rows<ItemRow>(sql(db, "select n, kind, id, source, length from items where kind <> 'turn'").all()),
        [],
      )
      const gone = stored.filter(({ kind, id }) => !kept.has(`${kind} ${id}`))
      const known = new Set(stored.map(({ kind, id }) => `${kind} ${id}`))
      if (gone.length > 0) await file.change<void>((db) => removeItems(db, gone), undefined)
      await add(items.filter(({ kind, id }) => !known.has(`${kind} ${id}`)))
      if (gone.length > 0) upkeep.start()
    },
    search: (search) => file.read((db) => searchTerms(db, frequencies, search), NOTHING),
    readSession: ({ sessionId, project = null, at, before, after }) =>
      file.read((db) => {
        const earlier = rows<ItemRow>(sql(db, EARLIER).all(sessionId, project, project, Math.trunc(at), before))
        const later = rows<ItemRow>(sql(db, LATER).all(sessionId, project, project, Math.trunc(at), after))
        return [...earlier.toReversed(), ...later].map(toItem)
      }, []),
    recentSessions: ({ after = Number.MIN_SAFE_INTEGER, before = Number.MAX_SAFE_INTEGER, excludeSessionId = '', project = null, limit }) =>
      file.read((db) => rows<SessionRow>(sql(db, RECENT).all(after, before, excludeSessionId, project, project, limit)).map(toSummary), []),
    async forget(target) {
      if (target.kind === 'all') {
        const count = await countItems()
        if (!target.dryRun) await file.whileClosed(() => removeFiles(folder, top))
        return count
      }
      if (!target.dryRun) {
        // Damaged files may hold it too. What they hold beside it is copied first; a process that still copies stops when they are gone.
        await upkeep.copyAside()
        removeSetAside(folder)
      }
      const count = await remove(target, target.dryRun)
      if (target.dryRun) return count
      if (count > 0) await upkeep.purge()
      return count
    },
    async prune(before) {
      const count = await remove({ kind: 'before', before: Math.trunc(before) }, false)
      if (count > 0) upkeep.start()
      return count
    },
    async stats() {
      const empty = { sums: { sessions: 0, turns: 0, oldest: null, newest: null } as Sums, items: 0, vectors: 0 }
      const { sums, items, vectors } = await file.read(
        (db) => ({
          sums: rows<Sums>(sql(db, SUMS).all())[0] ?? empty.sums,
          items: getState(db, 'items'),
          vectors: rows<{ n: number }>(sql(db, 'select count(distinct n) as n from vectors').all())[0]?.n ?? 0,
        }),
        empty,
      )
      const sizes = ['', '-wal', '-shm'].map((end) => statSync(file.path + end, { throwIfNoEntry: false })?.size ?? 0)
      return {
        turns: sums.turns,
        sessions: sums.sessions,
        archived: items - sums.turns,
        vectors,
        ...(sums.oldest === null || sums.newest === null ? {} : { oldestAt: sums.oldest, newestAt: sums.newest }),
        bytes: sizes.reduce((sum, size) => sum + size, 0),
        location: file.path,
      }
    },
    async reindex(progress, signal) {
      await file.change<void>((db) => startRebuild(db, home), undefined)
      await upkeep.rebuild(progress, signal)
      upkeep.start()
    },
    check: () => checkFile(file, home),
    vectors: sqliteVectors(file, home.clock),
    async close() {
      await upkeep.stop()
      await file.close()
    },
  }
}
