/** The folders in which installations collect their files, and the removal of those that a killed process left. */
import { createHash } from 'node:crypto'
import { readlinkSync } from 'node:fs'
import { hostname } from 'node:os'
import { ok, type Result, type StorageBackend } from '@hermes/core'

/** Not searched for skills. */
const INCOMING = 'skills/.hub/incoming'

/** An installation writes its files within minutes. */
const ABANDONED_AFTER_MS = 3_600_000

/** Process ids are comparable on one machine only, and there in one container. */
const machine = (): string => {
  let namespace = ''
  try {
    namespace = readlinkSync('/proc/self/ns/pid')
  } catch {
    // Not Linux.
  }
  return createHash('sha256').update(`${hostname()}\n${namespace}`).digest('hex').slice(0, 12)
}

/** Names its process. `at`: epoch milliseconds. */
export const incomingFolder = (id: string, at: number): string => `${INCOMING}/${process.pid}-${machine()}-${at}-${id}`

const isRunning = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch (cause) {
    // A process that may not be signalled is running too.
    return Reflect.get(Object(cause), 'code') !== 'ESRCH'
  }
}

/** False for a folder that does not name its process. */
export const isAbandoned = (path: string, now: number): boolean => {
  const [, pid, host, at] = /^skills\/\.hub\/incoming\/(\d+)-([0-9a-f]{12})-(\d+)-/.exec(path) ?? []
  if (pid === undefined) return false
  return now - Number(at) > ABANDONED_AFTER_MS || (host === machine() && !isRunning(Number(pid)))
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
    const removed = await storage.update(path, () => undefined)
    if (!removed.ok) return removed
  }
  return ok(undefined)
}
