/** `skills/.hub/lock.json`, which Python Hermes keeps too: where installed skills came from, so that nothing changes them automatically. */
import { createHash } from 'node:crypto'
import { err, HermesError, ok, type Result, type StorageBackend } from '@hermes/core'
import { readDocument, UNCHANGED, updateDocument } from '@hermes/core/storage'
import type { CheckedSkill } from './found-skill.ts'

const PATH = 'skills/.hub/lock.json'

export interface LockEntry {
  /** `npm`, `git` or `local`. */
  readonly source: string
  readonly identifier: string
  /** Epoch milliseconds. */
  readonly at: number
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value)

const parse = (bytes: Uint8Array | undefined): Result<Record<string, unknown>> => {
  if (!bytes) return ok({ version: 1 })
  try {
    const parsed: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
    if (isObject(parsed) && (parsed['installed'] === undefined || parsed['installed'] === null || isObject(parsed['installed'])))
      return ok(parsed)
  } catch {
    // Reported below.
  }
  return err(new HermesError('unreadable', `'${PATH}' is damaged, so it is unknown which skills are installed. Repair or remove it first.`))
}

type Lock = Readonly<Record<string, unknown>>

/** Keeps every key that it does not know. Undefined: nothing changes. */
const updateLock = async (storage: StorageBackend, change: (lock: Lock, installed: Lock) => Lock | undefined): Promise<Result<void>> => {
  let problem: HermesError | undefined
  const written = await updateDocument(storage, PATH, (current) => {
    const lock = parse(current?.bytes)
    problem = lock.ok ? undefined : lock.error
    if (!lock.ok) return UNCHANGED
    const changed = change(lock.value, isObject(lock.value['installed']) ? lock.value['installed'] : {})
    return changed === undefined ? UNCHANGED : new TextEncoder().encode(`${JSON.stringify(changed, null, 2)}\n`)
  })
  if (problem) return err(problem)
  return written.ok ? ok(undefined) : written
}

const update = (storage: StorageBackend, change: (installed: Lock) => Lock): Promise<Result<void>> =>
  updateLock(storage, (lock, installed) => ({ ...lock, installed: change(installed) }))

export const checkLock = async (storage: StorageBackend): Promise<Result<unknown>> => {
  const read = await readDocument(storage, PATH)
  return read.ok ? parse(read.value?.bytes) : read
}

const hashOf = ({ text, files }: CheckedSkill): string => {
  const hash = createHash('sha256').update(text)
  for (const { path, bytes } of files.toSorted((a, b) => (a.path < b.path ? -1 : 1))) hash.update(`\0${path}\0`).update(bytes)
  return `sha256:${hash.digest('hex')}`
}

/** Whether this skill was installed from there, as it is now. Its folder is not looked at. */
export const isRecorded = async (storage: StorageBackend, skill: CheckedSkill, identifier: string): Promise<boolean> => {
  const read = await readDocument(storage, PATH)
  const lock = read.ok ? parse(read.value?.bytes) : read
  const installed = lock.ok && isObject(lock.value['installed']) ? lock.value['installed'] : {}
  const entry = Object.hasOwn(installed, skill.name) ? installed[skill.name] : undefined
  return isObject(entry) && entry['identifier'] === identifier && entry['content_hash'] === hashOf(skill)
}

/** What was recorded, and what was there before. */
export interface RecordedOrigin {
  readonly entry: unknown
  readonly former: unknown
}

export const recordOrigin = async (
  storage: StorageBackend,
  skill: CheckedSkill,
  { source, identifier, at }: LockEntry,
): Promise<Result<RecordedOrigin>> => {
  const time = new Date(at).toISOString()
  const entry = {
    source,
    identifier,
    trust_level: 'community',
    scan_verdict: 'safe',
    content_hash: hashOf(skill),
    install_path: skill.name,
    files: ['SKILL.md', ...skill.files.map(({ path }) => path)],
    installed_at: time,
    updated_at: time,
  }
  let former: unknown
  const recorded = await update(storage, (installed) => {
    former = Object.hasOwn(installed, skill.name) ? installed[skill.name] : undefined
    return { ...installed, [skill.name]: entry }
  })
  return recorded.ok ? ok({ entry, former }) : recorded
}

/** Puts the former entry back, unless another installation has recorded its own meanwhile. */
export const restoreOrigin = (storage: StorageBackend, name: string, { entry, former }: RecordedOrigin): Promise<Result<void>> =>
  update(storage, (installed) => {
    if (JSON.stringify(installed[name]) !== JSON.stringify(entry)) return installed
    const { [name]: _, ...others } = installed
    return former === undefined ? others : { ...others, [name]: former }
  })

export const forgetOrigin = (storage: StorageBackend, name: string): Promise<Result<void>> =>
  update(storage, ({ [name]: _, ...others }) => others)

/** The origin of a skill that is in the archive, under the name that it has in the lock. */
export interface TakenOrigin {
  readonly key: string
  readonly entry: unknown
}

const folderOf = (entry: unknown): string => {
  const path = isObject(entry) ? entry['install_path'] : undefined
  return typeof path === 'string' ? path.replace(/^(?:\.?\/)*(?:skills\/)?|\/+$/g, '') : ''
}

/** Removes the origin of the skill; undefined if it has none of its own. `path`: its folder below `skills`. */
export const takeOrigin = async (
  storage: StorageBackend,
  { name, path }: { readonly name: string; readonly path: string },
): Promise<Result<TakenOrigin | undefined>> => {
  let taken: TakenOrigin | undefined
  const written = await updateLock(storage, (lock, installed) => {
    const found = Object.entries(installed).find(([key, entry]) => key === name || folderOf(entry) === path)
    taken = found && { key: found[0], entry: found[1] }
    if (!found) return undefined
    const { [found[0]]: _, ...others } = installed
    return { ...lock, installed: others }
  })
  return written.ok ? ok(taken) : written
}

export const putOriginBack = (storage: StorageBackend, { key, entry }: TakenOrigin): Promise<Result<void>> =>
  update(storage, (installed) => ({ [key]: entry, ...installed }))

const REMOVED = 'removed'

const removedOf = (lock: Lock): Lock => (isObject(lock[REMOVED]) ? lock[REMOVED] : {})

/** Keeps the origin for when the skill comes back. `id`: its id in the archive. */
export const keepOrigin = (storage: StorageBackend, id: string, origin: TakenOrigin): Promise<Result<void>> =>
  updateLock(storage, (lock) => ({ ...lock, [REMOVED]: { ...removedOf(lock), [id]: origin } }))

/** After the skill came back from the archive. Does nothing if no origin was kept for it. */
export const returnOrigin = (storage: StorageBackend, id: string): Promise<Result<void>> =>
  updateLock(storage, (lock, installed) => {
    const { [id]: kept, ...others } = removedOf(lock)
    if (!isObject(kept) || typeof kept['key'] !== 'string') return undefined
    const { [REMOVED]: _, ...rest } = lock
    const back = { ...rest, installed: { [kept['key']]: kept['entry'], ...installed } }
    return Object.keys(others).length === 0 ? back : { ...back, [REMOVED]: others }
  })
