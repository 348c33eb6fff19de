/**
 * Creates one document without the lock of the home: a file with its whole text takes a name that is free, in one call of the system. For the record of a session
 * that begins; whoever is second finds the record of the first.
 */
import { link, readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { HermesError } from '../../shared/hermes-error.ts'
import { ok, type Result } from '../../shared/result.ts'
import type { NamedPaths } from '../cut.ts'
import { runPlan } from '../plan.ts'
import type { Cut, Plan } from '../storage-backend.ts'
import { close, isSystemError, openIn, orMissing, TEMPORARY_PREFIX, TO_CREATE_NEW, unlink, writeAt } from './disk.ts'
import { findDocument } from './documents.ts'
import type { Home } from './home.ts'
import { toStored } from './list-documents.ts'
import type { Log } from './log.ts'

let claims = 0

/** Throws the system's errors. */
const takeName = async (file: string, bytes: Uint8Array): Promise<void> => {
  const temporary = join(dirname(file), `${TEMPORARY_PREFIX}${process.pid}-${claims++}-claim`)
  const opened = await openIn(temporary, TO_CREATE_NEW)
  try {
    await writeAt(opened, bytes, 0)
    await link(temporary, file)
  } finally {
    await Promise.all([close(opened), orMissing(unlink(temporary))])
  }
}

/** Whether this process may write to the home, which has a log of this start of the machine with nothing left to do. */
const isReady = async (home: Home, log: Log, withoutFlock: boolean): Promise<boolean> => {
  await home.open()
  const kind = (await orMissing(readFile(home.own('kind'), 'utf8')))?.trim()
  if (kind !== 'file' && (kind !== 'flock' || withoutFlock)) return false
  const state = await log.look()
  return state !== undefined && state !== 'torn' && !state.isBehind && state.head.boot === log.boot
}

const claim = async <T>(home: Home, named: NamedPaths, plan: (cut: Cut) => Plan<T>): Promise<Result<T> | 'under the lock'> => {
  const [path] = named.documents
  if (path === undefined || named.documents.size + named.folders.length > 1) return 'under the lock'
  const found = await findDocument(home, path)
  if (found.kind === 'folder' || (found.kind === 'none' && found.under !== undefined)) return 'under the lock'
  const document = await toStored(home, path, found)
  const planned = runPlan(named, { documents: new Map(document ? [[path, document]] : []), infos: [] }, plan)
  if (!planned.ok) return planned
  const { moves, puts, appends, value } = planned.value
  const put = puts.get(path)
  if (moves.length + puts.size + appends.size > 0) {
    if (!put || put.executable || found.kind !== 'none') return 'under the lock'
    await takeName(found.file, put.bytes)
  }
  return ok(value)
}

/**
 * `not ready`: the log is missing or has something left to do. `under the lock`: the plan does more than claim, or this file system has no links. Nothing was written
 * then, and the plan has to run again. Throws what the plan throws.
 */
export const claimDocument = async <T>(
  home: Home,
  log: Log,
  named: NamedPaths,
  plan: (cut: Cut) => Plan<T>,
  withoutFlock: boolean,
): Promise<Result<T> | 'under the lock' | 'not ready'> => {
  try {
    if (!(await isReady(home, log, withoutFlock))) return 'not ready'
    return await claim(home, named, plan)
  } catch (error) {
    if (HermesError.isInstance(error)) return 'under the lock'
    if (!isSystemError(error)) throw error
    // Somebody else was first: the plan sees what is there. Or the temporary file was swept away. Under the lock it is said what else is wrong.
    return isSystemError(error, 'EEXIST') ? claim(home, named, plan).catch(underLock) : 'under the lock'
  }
}

const underLock = (error: unknown): 'under the lock' => {
  if (isSystemError(error) || HermesError.isInstance(error)) return 'under the lock'
  throw error
}
