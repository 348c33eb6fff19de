/**
 * Creates one document without the lock of the home: a file with its whole text takes a name that is free, in one call of the system. For the record of a session
 * that begins; whoever is second finds the record of the first.
 */
import { dirname, join } from 'node:path'
import { HermesError } from '../../shared/hermes-error.ts'
import { ok, type Result } from '../../shared/result.ts'
import type { NamedPaths } from '../cut.ts'
import { runPlan } from '../plan.ts'
import type { Cut, Plan, StoredDocument } from '../storage-backend.ts'
import {
  isSystemError,
  link,
  open,
  openIn,
  orMissing,
  readAt,
  TEMPORARY_PREFIX,
  TO_CREATE_NEW,
  TO_READ,
  unlink,
  withFile,
  writeAt,
} from './disk.ts'
import { findDocument } from './documents.ts'
import type { Home } from './home.ts'
import { toStored } from './list-documents.ts'
import type { Log } from './log.ts'

let claims = 0

/** No two processes have the same, though containers that share a home may have the same process number: a claim must not link the text of another's. */
const PROCESS = `${process.pid}-${Math.round(performance.timeOrigin * 1000).toString(36)}`

const readKind = async (home: Home): Promise<string> =>
  withFile(await open(home.own('kind'), TO_READ), async (file) => new TextDecoder().decode(await readAt(file, 0, 16)).trim())

/** Whether this process may write to the home, which has a log of this start of the machine with nothing left to do. */
const isReady = async (home: Home, log: Log, withoutFlock: boolean): Promise<boolean> => {
  await home.open()
  const [kind, state] = await Promise.all([home.lockKind ?? orMissing(readKind(home)), log.look()])
  home.lockKind = kind
  const isOurs = kind === 'file' || (kind === 'flock' && !withoutFlock)
  return isOurs && state !== undefined && state !== 'torn' && !state.isBehind && state.head.boot === log.boot
}

/** What the plan creates; undefined if it does something else. */
const createdBy = <T>(named: NamedPaths, path: string, found: StoredDocument | HermesError | undefined, plan: (cut: Cut) => Plan<T>) => {
  const documents = new Map(found ? [[path, found]] : [])
  const planned = runPlan(named, { documents, infos: [] }, plan)
  if (!planned.ok) return planned
  const { puts, appends, value } = planned.value
  const put = puts.get(path)
  return ok({ value, isChange: puts.size + appends.size > 0, bytes: put && !put.executable ? put.bytes : undefined })
}

/** Somebody else was first, and the plan sees what is there. */
const findClaimed = async <T>(
  home: Home,
  named: NamedPaths,
  path: string,
  plan: (cut: Cut) => Plan<T>,
): Promise<Result<T> | 'under the lock'> => {
  const found = await toStored(home, path, await findDocument(home, path))
  const planned = createdBy(named, path, found, plan)
  if (!planned.ok) return planned
  return planned.value.isChange ? 'under the lock' : ok(planned.value.value)
}

const claim = async <T>(
  home: Home,
  log: Log,
  named: NamedPaths,
  plan: (cut: Cut) => Plan<T>,
  withoutFlock: boolean,
): Promise<Result<T> | 'under the lock' | 'not ready'> => {
  const [path] = named.documents
  if (path === undefined || named.documents.size + named.folders.length > 1) return 'under the lock'
  const planned = createdBy(named, path, undefined, plan)
  if (!planned.ok) return planned
  const { bytes, value } = planned.value
  if (!bytes) return 'under the lock'
  const file = await home.fileOf(path)
  const temporary = join(dirname(file), `${TEMPORARY_PREFIX}${PROCESS}-${claims++}-claim`)
  const write = async (opened: number) => withFile(opened, () => writeAt(opened, bytes, 0))
  try {
    const [ready, written] = await Promise.allSettled([isReady(home, log, withoutFlock), open(temporary, TO_CREATE_NEW, 0o600).then(write)])
    if (ready.status === 'rejected') throw ready.reason
    if (!ready.value) return 'not ready'
    // The folder may be missing.
    if (written.status === 'rejected') await write(await openIn(temporary, TO_CREATE_NEW))
    await link(temporary, file)
    return ok(value)
  } catch (error) {
    if (isSystemError(error, 'EEXIST')) return await findClaimed(home, named, path, plan)
    throw error
  } finally {
    // Nobody waits for it.
    orMissing(unlink(temporary)).catch(() => undefined)
  }
}

/**
 * `not ready`: the log is missing or has something left to do. `under the lock`: the plan does more than claim, or this file system has no links. Nothing was
 * written then, and the plan has to run again. Throws what the plan throws.
 */
export const claimDocument = async <T>(
  home: Home,
  log: Log,
  named: NamedPaths,
  plan: (cut: Cut) => Plan<T>,
  withoutFlock: boolean,
): Promise<Result<T> | 'under the lock' | 'not ready'> => {
  try {
    return await claim(home, log, named, plan, withoutFlock)
  } catch (error) {
    // Under the lock it is said what is wrong.
    if (HermesError.isInstance(error) || isSystemError(error)) return 'under the lock'
    throw error
  }
}
