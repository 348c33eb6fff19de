/** Creates a skill library with usage records from short descriptions, and reads its state. */

import { manualClock } from '@hermes/testing'
import { SkillStore } from '../../src/skills/skill-store.ts'
import { inMemoryBackend } from '../../src/storage/in-memory.ts'
import { readDocument, updateDocument } from '../../src/storage/one-document.ts'
import type { StorageBackend } from '../../src/storage/storage-backend.ts'
import { formatPythonTime } from '../../src/usage/python-time.ts'
import { UsageStore } from '../../src/usage/usage-store.ts'

export const NOON = Date.UTC(2026, 5, 1, 12)
export const DAY = 86_400_000

export interface SkillWords {
  /** Days since its last use; `undefined` if it was never used. */
  readonly idleDays?: number
  readonly state?: 'active' | 'stale' | 'archived'
  readonly pinned?: boolean
  /** Default `agent`. `none`: the skill has no usage record. */
  readonly by?: 'agent' | 'user' | 'none'
  readonly misjudgements?: number
  /** Default: the name. */
  readonly path?: string
}

export const writeText = async (storage: StorageBackend, path: string, text: string): Promise<void> => {
  const written = await updateDocument(storage, path, () => new TextEncoder().encode(text))
  if (!written.ok) throw written.error
}

export const readText = async (storage: StorageBackend, path: string): Promise<string | undefined> => {
  const read = await readDocument(storage, path)
  return read.ok && read.value ? new TextDecoder().decode(read.value.bytes) : undefined
}

export const skillText = (name: string): string => `---\nname: ${name}\ndescription: Does ${name}.\n---\n\nDo it.\n`

const toStored = ({ idleDays, state = 'active', pinned = false, by = 'agent', misjudgements = 0 }: SkillWords) => ({
  created_by: by,
  state,
  pinned,
  use_count: idleDays === undefined ? 0 : 1,
  last_used_at: idleDays === undefined ? null : formatPythonTime(NOON - idleDays * DAY),
  created_at: formatPythonTime(NOON - 400 * DAY),
  ...(misjudgements === 0 ? {} : { misjudgements }),
})

export const fillLibrary = async (storage: StorageBackend, skills: Readonly<Record<string, SkillWords>>): Promise<void> => {
  for (const [name, { path = name }] of Object.entries(skills)) await writeText(storage, `skills/${path}/SKILL.md`, skillText(name))
  const records = Object.entries(skills).filter(([, { by }]) => by !== 'none')
  await writeText(
    storage,
    'skills/.usage.json',
    JSON.stringify(Object.fromEntries(records.map(([name, words]) => [name, toStored(words)]))),
  )
}

export const openLibrary = async (skills: Readonly<Record<string, SkillWords>>, storage: StorageBackend = inMemoryBackend()) => {
  await fillLibrary(storage, skills)
  const clock = manualClock(NOON)
  return { storage, clock, skills: new SkillStore({ storage, clock }), usage: new UsageStore({ storage, clock }) }
}

export const pathsIn = async (storage: StorageBackend, folder = ''): Promise<readonly string[]> => {
  const listed = await storage.list(folder)
  if (!listed.ok) throw listed.error
  return listed.value.map(({ path }) => path)
}

/** All documents, byte for byte. */
export const contentsOf = async (storage: StorageBackend): Promise<Readonly<Record<string, string | undefined>>> => {
  const entries: [string, string | undefined][] = []
  for (const path of await pathsIn(storage)) entries.push([path, await readText(storage, path)])
  return Object.fromEntries(entries)
}

export const unwrap = <T>(result: { ok: true; value: T } | { ok: false; error: Error }): T => {
  if (!result.ok) throw result.error
  return result.value
}
