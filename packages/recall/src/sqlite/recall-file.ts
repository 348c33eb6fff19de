/** The open database of one home: found again if another process has erased or replaced it, never waited for with the event loop blocked. */
import { setTimeout } from 'node:timers/promises'
import type { Clock } from '@hermes/core'
import { describeFailure } from './describe-failure.ts'
import { judgeProblem, type OpenConnection, type SqlConnection, type SqliteProblem } from './driver.ts'
import { createTurns } from './in-turn.ts'
import { createPrivately, databaseIn, identityOf, setAside, setAsideIn } from './index-files.ts'
import { inTransaction, prepareFile } from './schema.ts'

export interface RecallFile {
  readonly path: string
  readonly folder: string
  /** Runs `work` if there is a database, otherwise returns `empty`. */
  read<T>(work: (db: SqlConnection) => T, empty: T): Promise<T>
  /** Runs `work` in a transaction, and creates the database if there is none. It may run more than once. `empty`: if the home was erased meanwhile. */
  write<T>(work: (db: SqlConnection) => T, empty: T): Promise<T>
  /** Runs `work` in a transaction if there is a database, otherwise returns `empty`. */
  change<T>(work: (db: SqlConnection) => T, empty: T): Promise<T>
  /** Runs `work` with nothing open, between other pieces of work. */
  whileClosed<T>(work: () => T): Promise<T>
  close(): Promise<void>
}

export interface RecallFileEvents {
  /** A database could not be read and was renamed to `aside`; a new one takes its place. */
  wasDamaged(aside: string, cause: unknown): void
  /** Makes the damaged index of terms anew, in a transaction. */
  resetTerms(db: SqlConnection): void
  /** Called once for each connection, before it is used. */
  opened(db: SqlConnection): void
}

const LONGEST_WAIT_MS = 15_000
const LONGEST_PAUSE_MS = 16
/** A database may be erased or replaced by others while it is used; not this often. */
const MOST_ATTEMPTS = 8

interface Open {
  readonly db: SqlConnection
  readonly identity: string
}

type Mode = 'read' | 'change' | 'write'

/** From 0 to 1, so that processes do not repeat in step. */
const spread = (attempt: number): number => ((process.pid * 7919 + attempt * 613) % 1_000) / 1_000

export const openRecallFile = (folder: string, openConnection: OpenConnection, clock: Clock, events: RecallFileEvents): RecallFile => {
  const path = databaseIn(folder)
  const inTurn = createTurns()
  let current: Open | undefined
  let closed = false

  const release = (): void => {
    const { db } = current ?? {}
    current = undefined
    try {
      db?.close()
    } catch {
      // A damaged database: its file is closed all the same.
    }
  }

  const open = (mode: Mode): Open | undefined => {
    const identity = identityOf(path)
    if (current && current.identity === identity) return current
    release()
    if (identity === undefined && mode !== 'write') return undefined
    createPrivately(folder)
    const db = openConnection(path)
    try {
      prepareFile(db, path)
      events.opened(db)
    } catch (cause) {
      db.close()
      throw cause
    }
    const opened = { db, identity: identityOf(path) ?? '' }
    current = opened
    return opened
  }

  /** Undefined if the database was replaced meanwhile, so that its answer says nothing about the present one. */
  const attempt = <T>(mode: Mode, work: (db: SqlConnection) => T, empty: T): { readonly value: T } | undefined => {
    if (closed) throw new Error('The recall index is closed.')
    const opened = open(mode)
    if (!opened) return { value: empty }
    const value = mode === 'read' ? work(opened.db) : inTransaction(opened.db, () => work(opened.db))
    if (identityOf(path) === opened.identity) return { value }
    // Erased: what was found must not be shown, and what was written is erased with the rest. Set aside as damaged: it is done again in the new file.
    const wasSetAside = setAsideIn(folder).some((each) => identityOf(each) === opened.identity)
    return mode === 'read' || wasSetAside ? undefined : { value: empty }
  }

  const replaceFile = (cause: unknown): void => {
    const identity = current?.identity ?? identityOf(path)
    release()
    if (identity === undefined) return
    const aside = setAside(folder, identity, clock())
    if (aside !== undefined) events.wasDamaged(aside, cause)
  }

  const mend = (problem: SqliteProblem, cause: unknown): void => {
    if (problem === 'damaged') replaceFile(cause)
    if (problem !== 'terms-damaged') return
    try {
      attempt<void>('change', events.resetTerms, undefined)
    } catch (failure) {
      if (judgeProblem(failure) !== 'busy') replaceFile(failure)
    }
  }

  const run = async <T>(mode: Mode, work: (db: SqlConnection) => T, empty: T): Promise<T> => {
    const end = performance.now() + LONGEST_WAIT_MS
    let attempts = 0
    for (let pauses = 0; ; pauses++) {
      try {
        const done = await inTurn(() => attempt(mode, work, empty))
        if (done) return done.value
        if (++attempts >= MOST_ATTEMPTS) return empty
      } catch (cause) {
        const problem = judgeProblem(cause)
        if (problem === 'other') throw describeFailure(cause, path)
        await inTurn(() => mend(problem, cause))
        if ((problem !== 'busy' && ++attempts >= MOST_ATTEMPTS) || performance.now() > end) throw describeFailure(cause, path)
      }
      await setTimeout(Math.min(LONGEST_PAUSE_MS, 2 ** Math.min(pauses, 10)) * spread(pauses))
    }
  }

  return {
    path,
    folder,
    read: (work, empty) => run('read', work, empty),
    change: (work, empty) => run('change', work, empty),
    write: (work, empty) => run('write', work, empty),
    whileClosed: (work) =>
      inTurn(() => {
        release()
        return work()
      }),
    close: () =>
      inTurn(() => {
        closed = true
        release()
      }),
  }
}
