/** Looks for damage in the whole index, in a thread of its own where Node has SQLite: it takes as long as reading the file. */
import { Worker } from 'node:worker_threads'
import type { RecallIndexHome } from '../recall-index.ts'
import type { SqlConnection } from './driver.ts'
import type { RecallFile } from './recall-file.ts'
import { rows, sql } from './statements.ts'

const INTEGRITY = 'pragma integrity_check(20)'
const TERMS_INTEGRITY = "insert into item_terms (item_terms) values ('integrity-check')"

/** A program as text, because a bundler would lose a file. */
const PROGRAM = `
const { parentPort, workerData } = require('node:worker_threads')
const { DatabaseSync } = require('node:sqlite')
const found = []
try {
  const db = new DatabaseSync(workerData.path)
  db.exec('pragma busy_timeout = 5000')
  for (const row of db.prepare(workerData.integrity).all()) found.push(String(Object.values(row)[0]))
  db.exec(workerData.terms)
  db.close()
} catch (cause) {
  found.push(cause.message)
}
parentPort.postMessage(found)`

const inThread = (path: string): Promise<readonly string[]> =>
  new Promise((resolve, reject) => {
    const worker = new Worker(PROGRAM, {
      eval: true,
      workerData: { path, integrity: INTEGRITY, terms: TERMS_INTEGRITY },
      execArgv: ['--no-warnings'],
    })
    worker.once('message', resolve)
    worker.once('error', reject)
  })

const atOnce = (db: SqlConnection): readonly string[] => {
  const found = rows<object>(sql(db, INTEGRITY).all()).map((row) => String(Object.values(row)[0]))
  try {
    db.exec(TERMS_INTEGRITY)
    return found
  } catch (cause) {
    return [...found, cause instanceof Error ? cause.message : String(cause)]
  }
}

interface Counts {
  readonly items: number
  readonly counted: number
  readonly unindexed: number
}

const COUNTS = `select (select value from state where key = 'items') as items, (select count(*) from items) as counted,
(select value from state where key = 'rebuild_next') as unindexed`

export const checkFile = async (file: RecallFile, home: RecallIndexHome): Promise<readonly string[]> => {
  const counts = await file.read<Counts | undefined>((db) => rows<Counts>(sql(db, COUNTS).all())[0], undefined)
  if (!counts) return []
  const problems = process.getBuiltinModule?.('node:sqlite') ? await inThread(file.path) : await file.read(atOnce, [])
  const miscounted = counts.items === counts.counted ? [] : [`${counts.items} items were counted, but there are ${counts.counted}.`]
  const unfinished = counts.unindexed === 0 ? [] : [`The index of terms (version ${home.termsVersion}) is not complete: run a reindex.`]
  return [...problems.filter((each) => each !== 'ok'), ...miscounted, ...unfinished]
}
