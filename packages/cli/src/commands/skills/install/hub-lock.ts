/** `skills/.hub/lock.json`, which Python Hermes keeps too: where installed skills came from, so that nothing changes them automatically. */
import { createHash } from 'node:crypto'
import { ok, type Result, type StorageBackend } from '@hermes/core'
import { changeHubLock, readInstalled } from '@hermes/core/skills'
import type { CheckedSkill } from './found-skill.ts'

export interface LockEntry {
  /** `npm`, `git` or `local`. */
  readonly source: string
  readonly identifier: string
  /** Epoch milliseconds. */
  readonly at: number
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value)

const hashOf = ({ text, files }: CheckedSkill): string => {
  const hash = createHash('sha256').update(text)
  for (const { path, bytes } of files.toSorted((a, b) => (a.path < b.path ? -1 : 1))) hash.update(`\0${path}\0`).update(bytes)
  return `sha256:${hash.digest('hex')}`
}

/** Whether this skill was installed from there, as it is now. Its folder is not looked at. */
export const isRecorded = async (storage: StorageBackend, skill: CheckedSkill, identifier: string): Promise<boolean> => {
  const installed = await readInstalled(storage)
  const entry = installed.ok && Object.hasOwn(installed.value, skill.name) ? installed.value[skill.name] : undefined
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
  const recorded = await changeHubLock(storage, (lock, installed) => {
    former = Object.hasOwn(installed, skill.name) ? installed[skill.name] : undefined
    return { ...lock, installed: { ...installed, [skill.name]: entry } }
  })
  return recorded.ok ? ok({ entry, former }) : recorded
}

/** Puts the former entry back, unless another installation has recorded its own meanwhile. */
export const restoreOrigin = (storage: StorageBackend, name: string, { entry, former }: RecordedOrigin): Promise<Result<void>> =>
  changeHubLock(storage, (lock, installed) => {
    if (JSON.stringify(installed[name]) !== JSON.stringify(entry)) return undefined
    const { [name]: _, ...others } = installed
    return { ...lock, installed: former === undefined ? others : { ...others, [name]: former } }
  })
