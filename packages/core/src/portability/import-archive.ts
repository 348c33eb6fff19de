/** Imports the archive of an export. Not offered to the agent as a tool. */
import { type HostActor, recordHostWrites } from '../journal/host-writes.ts'
import { createJournal } from '../journal/journal.ts'
import { MemoryStore } from '../memory/memory-store.ts'
import type { MemoryStoreOptions } from '../memory/memory-store-options.ts'
import type { MemoryWrite } from '../memory/memory-write.ts'
import type { Clock } from '../shared/clock.ts'
import { HermesError } from '../shared/hermes-error.ts'
import { err, ok, type Result } from '../shared/result.ts'
import { inMemoryBackend } from '../storage/backends/in-memory.ts'
import { byCodeUnit } from '../storage/document-tree.ts'
import type { StorageBackend, StoredDocument } from '../storage/storage-backend.ts'
import { importHome } from './import-home.ts'
import { createTally, type ImportOptions, type ImportReport } from './import-report.ts'
import { openExport } from './open-export.ts'

/**
 * A storage for a dry run, which takes the same steps as a real import: reads from `below`, keeps writes in memory, and does not close `below`. `move` fails with
 * `unwritable`.
 */
const scratchBackend = (below: StorageBackend): StorageBackend => {
  const documents = new Map<string, StoredDocument>()
  const above = inMemoryBackend(documents)
  // Paths whose state is in memory, including removed documents.
  const touched = new Set<string>()
  return {
    read: (path) => (touched.has(path) ? above.read(path) : below.read(path)),
    update: async (path, change) => {
      if (!touched.has(path)) {
        const current = await below.read(path)
        if (!current.ok) return current
        // Another update may have run meanwhile.
        if (current.value && !touched.has(path)) documents.set(path, current.value)
        touched.add(path)
      }
      return above.update(path, change)
    },
    list: async (prefix) => {
      const [lower, upper] = await Promise.all([below.list(prefix), above.list(prefix)])
      if (!lower.ok || !upper.ok) return lower.ok ? upper : lower
      const kept = lower.value.filter(({ path }) => !touched.has(path))
      return ok([...kept, ...upper.value].sort((a, b) => byCodeUnit(a.path, b.path)))
    },
    move: async () => err(new HermesError('unwritable', 'Documents cannot be moved in a dry run.')),
    close: async () => {},
  }
}

export interface ImportDeps {
  readonly storage: StorageBackend
  readonly clock: Clock
  readonly createId: () => string
  readonly actor: HostActor
  /** Options of the two memory stores. */
  readonly memory: Omit<MemoryStoreOptions, 'storage' | 'clock' | 'onFailure' | 'onWrite'>
  readonly onFailure: (error: HermesError, operation: string) => void
  /** Called with each memory write of an import. Not called in a dry run. */
  readonly onMemoryWrite: (write: MemoryWrite) => void
}

/** Merges an export into the home of `storage`. */
export const importArchive = async (
  deps: ImportDeps,
  archive: Uint8Array,
  { dryRun = false, trusted = true }: ImportOptions = {},
): Promise<Result<ImportReport>> => {
  const opened = await openExport(archive)
  if (!opened.ok) return opened
  const { clock, createId, actor, memory, onFailure } = deps
  const storage = dryRun ? scratchBackend(deps.storage) : deps.storage
  const tally = createTally(dryRun)
  const { record } = recordHostWrites(createJournal({ storage, clock, createId }), actor, onFailure)
  const done = await importHome({
    storage,
    clock,
    contents: new Map([...opened.value.contents].sort(([a], [b]) => byCodeUnit(a, b))),
    trusted,
    tally,
    actor,
    record,
    createMemoryStore: (onWrite) =>
      // With `hold`, an import never evicts an existing entry.
      new MemoryStore({
        ...memory,
        whenFull: 'hold',
        storage,
        clock,
        onFailure: (error) => onFailure(error, 'memory'),
        onWrite: async (write) => {
          await onWrite(write)
          if (!dryRun) deps.onMemoryWrite(write)
        },
      }),
  })
  return done.ok ? ok(tally.report()) : done
}
