/** The golden cases of the curator's transitions and schedule: their schema, and a home made from a case. */

import { inMemoryBackend } from '../../src/storage/in-memory.ts'
import { updateDocument } from '../../src/storage/one-document.ts'
import type { StorageBackend } from '../../src/storage/storage-backend.ts'

interface VectorTransition {
  readonly name: string
  readonly from: string | null
  readonly to: string
}

export interface VectorOutcome {
  readonly transitions: readonly VectorTransition[]
  readonly skipped: readonly { readonly name: string; readonly reason: string }[]
  readonly counts?: { readonly marked_stale: number; readonly archived: number; readonly reactivated: number; readonly checked: number }
  readonly archivedDirs?: readonly string[]
  /** The pass of the reference raised an exception half-way. */
  readonly error?: string
}

export interface TransitionCase {
  readonly name: string
  readonly now: string
  readonly config: Readonly<Record<string, unknown>>
  readonly records: Readonly<Record<string, unknown>>
  readonly library?: Readonly<
    Record<
      string,
      { readonly dir?: string; readonly frontmatterName?: string; readonly source?: 'hub' | 'bundled'; readonly onDisk?: boolean }
    >
  >
  readonly cronReferenced?: readonly string[]
  readonly expect:
    | VectorOutcome
    | { readonly hermes: VectorOutcome; readonly seed000?: VectorOutcome; readonly hermesLatest?: VectorOutcome }
  readonly note?: string
}

export interface ScheduleCase {
  readonly name: string
  readonly now: string
  readonly config: Readonly<Record<string, unknown>>
  readonly state: unknown
  readonly idleSeconds: number | 'Infinity' | null
  readonly expect: {
    readonly run: boolean
    readonly lastRunAtAfter: string | null
    readonly seeded: boolean
    readonly pausedAfter: boolean
  }
}

export interface CuratorVectors {
  readonly cases?: readonly TransitionCase[]
  readonly schedule?: readonly ScheduleCase[]
}

/** Whether a case follows the reference, the seed, or both. */
export const expectedBy = ({ expect }: TransitionCase, by: 'hermes' | 'seed000' | 'hermesLatest'): VectorOutcome | undefined =>
  'transitions' in expect ? expect : expect[by]

const write = async (storage: StorageBackend, path: string, text: string): Promise<void> => {
  const written = await updateDocument(storage, path, () => new TextEncoder().encode(text))
  if (!written.ok) throw written.error
}

/** Every record has a folder of its own unless the case says otherwise. */
export const openTransitionCase = async ({ records, library = {} }: TransitionCase): Promise<StorageBackend> => {
  const storage = inMemoryBackend()
  const names = new Set([...Object.keys(records), ...Object.keys(library)])
  for (const name of names) {
    const { dir = name, frontmatterName = name, onDisk = true } = library[name] ?? {}
    if (onDisk) await write(storage, `skills/${dir}/SKILL.md`, `---\nname: ${frontmatterName}\ndescription: Does a thing.\n---\n\nDo it.\n`)
  }
  if (Object.keys(records).length > 0) await write(storage, 'skills/.usage.json', JSON.stringify(records, null, 2))
  const from = (source: string) => Object.keys(library).filter((name) => library[name]?.source === source)
  if (from('bundled').length > 0)
    await write(
      storage,
      'skills/.bundled_manifest',
      from('bundled')
        .map((name) => `${name}:0\n`)
        .join(''),
    )
  if (from('hub').length > 0) {
    const installed = Object.fromEntries(from('hub').map((name) => [name, { install_path: library[name]?.dir ?? name }]))
    await write(storage, 'skills/.hub/lock.json', JSON.stringify({ installed }))
  }
  return storage
}
