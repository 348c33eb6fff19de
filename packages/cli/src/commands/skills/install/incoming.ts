/** The folders in which installations collect files, in the home and in the system's folder for temporary files, and the removal of those that a killed process left. */

import { lstat, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ok, type Result, type StorageBackend } from '@hermes/core'
import { currentProcess, isProcessRunning } from '@hermes/core/file-system'
import { updateDocument } from '@hermes/core/storage'

/** Not searched for skills. */
const INCOMING = 'skills/.hub/incoming'

const SOURCE_FOLDER = 'hermes-install-'

/** An installation writes its files within minutes. */
const ABANDONED_AFTER_MS = 3_600_000

const markOf = (at: number): string => `${currentProcess.pid}-${currentProcess.host}-${at}`

/** Names its process. `at`: epoch milliseconds. */
export const incomingFolder = (id: string, at: number): string => `${INCOMING}/${markOf(at)}-${id}`

/** False for a folder that does not name its process. */
export const isAbandoned = (path: string, now: number): boolean => {
  const [, pid, host, at] = /^(?:skills\/\.hub\/incoming\/|hermes-install-)(\d+)-([0-9a-f]+)-(\d+)-/.exec(path) ?? []
  if (pid === undefined) return false
  return now - Number(at) > ABANDONED_AFTER_MS || (host === currentProcess.host && !isProcessRunning(Number(pid)))
}

export const listIncoming = async (storage: StorageBackend): Promise<Result<readonly string[]>> => {
  const listed = await storage.list(INCOMING)
  return listed.ok ? ok(listed.value.map(({ path }) => path)) : listed
}

/** Removes the files of processes that have ended, and those older than an hour. */
export const removeAbandoned = async (storage: StorageBackend, now: number): Promise<Result<void>> => {
  const listed = await listIncoming(storage)
  if (!listed.ok) return listed
  for (const path of listed.value.filter((each) => isAbandoned(each, now))) {
    const removed = await updateDocument(storage, path, () => undefined)
    if (!removed.ok) return removed
  }
  return ok(undefined)
}

/** Root could remove the folders of other users too. `getuid` is missing on Windows, where each user has a folder of their own. */
const removeOwn = async (path: string): Promise<void> => {
  const { uid } = await lstat(path)
  if (process.getuid === undefined || uid === process.getuid()) await rm(path, { recursive: true, force: true })
}

/** A folder of its own for a source. Those that killed processes of this user left are removed first; one that cannot be removed stays. */
export const makeSourceFolder = async (now: number): Promise<string> => {
  const parent = tmpdir()
  for (const name of await readdir(parent).catch(() => [])) {
    if (name.startsWith(SOURCE_FOLDER) && isAbandoned(name, now)) await removeOwn(join(parent, name)).catch(() => {})
  }
  return mkdtemp(join(parent, `${SOURCE_FOLDER}${markOf(now)}-`))
}
