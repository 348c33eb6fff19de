/**
 * Merges an export into a home; not offered to the agent as a tool. It never overwrites or removes: new items pass the checks of the stores, and refused items
 * are reported. Each step can be repeated, so running an interrupted import again finishes it.
 */

import type { ReviewGate } from '../gate/review-gate.ts'
import { type HostActor, recordHostWrites } from '../journal/host-writes.ts'
import { createJournal } from '../journal/journal.ts'
import { openMemoryLog } from '../journal/memory-log.ts'
import { createPending } from '../journal/pending.ts'
import { MemoryStore } from '../memory/memory-store.ts'
import type { MemoryStoreOptions } from '../memory/memory-store-options.ts'
import type { MemoryWrite } from '../memory/memory-write.ts'
import type { Clock } from '../shared/clock.ts'
import { HermesError } from '../shared/hermes-error.ts'
import { err, ok, type Result } from '../shared/result.ts'
import { byCodeUnit } from '../storage/document-tree.ts'
import { inMemoryBackend } from '../storage/in-memory.ts'
import { readDocument } from '../storage/one-document.ts'
import type { Paths, StorageBackend, StoredDocument } from '../storage/storage-backend.ts'
import { JOURNAL_FOLDER } from '../storage/storage-paths.ts'
import { USAGE_PATH } from '../usage/usage-sidecar.ts'
import { partOf } from './export-scope.ts'
import { skillFilesOf, toExportedSkills } from './exported-skill.ts'
import { importArchivedSkills } from './import-archived-skills.ts'
import { IMPORTED, type ImportContext, invalidImport } from './import-context.ts'
import { importJournal, readKnownRecords } from './import-journal.ts'
import { importMemory } from './import-memory.ts'
import { importMemoryArchive } from './import-memory-archive.ts'
import { importPending } from './import-pending.ts'
import { createTally, type ImportOptions, type ImportReport } from './import-report.ts'
import { importSkills } from './import-skills.ts'
import { type ExportedUsage, readExportedUsage } from './import-usage.ts'
import { openExport } from './open-export.ts'

const refuseStrays = ({ contents, tally }: ImportContext): void => {
  const paths = [...contents.keys()]
  const wanted = new Set(skillFilesOf(paths))
  for (const path of paths) {
    const part = partOf(path)
    if ((part === 'skills' || part === 'archivedSkills') && !wanted.has(path))
      tally.refused(part, path, invalidImport('It does not belong to a skill.'))
  }
}

const importAllSkills = async (context: ImportContext): Promise<Result<void>> => {
  const { live, archived } = toExportedSkills([...context.contents.keys()])
  refuseStrays(context)
  const usage = readExportedUsage(context)
  if (!usage.ok) context.tally.refused('skills', USAGE_PATH, usage.error)
  const known: ExportedUsage = usage.ok ? usage.value : new Map()
  const imported = await importSkills(context, live, known)
  return imported.ok ? importArchivedSkills(context, archived, known) : imported
}

/** The journal of an untrusted home is not imported, because its claims cannot be checked. */
const leaveOutJournal = ({ contents, tally }: ImportContext): void => {
  if ([...contents.keys()].some((path) => partOf(path) === 'journal'))
    tally.refused('journal', JOURNAL_FOLDER, invalidImport('The archive is not trusted, so no records of its journal were imported.'))
}

const stopped = ({ code, message, details }: HermesError, context: ImportContext): HermesError =>
  new HermesError(code, `The import did not finish: ${message} Import the archive again; nothing is imported twice.`, {
    details: { ...details, report: context.tally.report() },
  })

const importHome = async (opened: Omit<ImportContext, 'outside'>, gate: ReviewGate): Promise<Result<void>> => {
  const { storage, clock, trusted } = opened
  const known = await readKnownRecords(storage)
  const decided = known.ok ? known.value.decided : new Set<string>()
  const context: ImportContext = {
    ...opened,
    outside: trusted ? undefined : { gate, pending: createPending({ storage, clock }), decided },
  }
  if (!known.ok) return err(stopped(known.error, context))
  const steps = [
    () => importMemory(context),
    () => importMemoryArchive(context),
    () => importAllSkills(context),
    () => importPending(context, decided),
    async () => (context.trusted ? importJournal(context, known.value) : ok(leaveOutJournal(context))),
  ]
  for (const step of steps) {
    const done = await step()
    if (!done.ok) return err(stopped(done.error, context))
  }
  return ok(undefined)
}

/**
 * A storage for a dry run, which takes the same steps as a real import: reads from `below`, keeps writes in memory, and does not close `below`.
 */
const scratchBackend = (below: StorageBackend): StorageBackend => {
  const documents = new Map<string, StoredDocument>()
  const above = inMemoryBackend(documents)
  // Paths whose state is in memory, including removed documents.
  const touched = new Set<string>()
  const isFolder = (path: string): boolean => path.endsWith('/')

  const bringDocument = async (path: string): Promise<Result<unknown>> => {
    if (touched.has(path)) return ok(undefined)
    const current = await readDocument(below, path)
    if (!current.ok) return current
    // Another update may have run meanwhile.
    if (current.value && !touched.has(path)) documents.set(path, current.value)
    touched.add(path)
    return current
  }

  /** Copies into memory what is named. */
  const bring = async (paths: Paths): Promise<Result<unknown>> => {
    const wanted = new Set(paths.filter((path) => !isFolder(path)))
    for (const folder of paths.filter(isFolder)) {
      const listed = await below.list(folder.slice(0, -1))
      if (!listed.ok) return listed
      for (const { path } of listed.value) wanted.add(path)
    }
    for (const path of wanted) {
      const brought = await bringDocument(path)
      if (!brought.ok) return brought
    }
    return ok(undefined)
  }

  return {
    read: async (paths) => {
      if (!paths.some((path) => isFolder(path) || touched.has(path))) return below.read(paths)
      const brought = await bring(paths)
      return brought.ok ? above.read(paths) : brought
    },
    update: async (paths, plan) => {
      const brought = await bring(paths)
      return brought.ok ? above.update(paths, plan) : brought
    },
    list: async (prefix) => {
      const [lower, upper] = await Promise.all([below.list(prefix), above.list(prefix)])
      if (!lower.ok || !upper.ok) return lower.ok ? upper : lower
      const kept = lower.value.filter(({ path }) => !touched.has(path))
      return ok([...kept, ...upper.value].sort((a, b) => byCodeUnit(a.path, b.path)))
    },
    close: async () => {},
  }
}

export interface ImportDeps {
  readonly storage: StorageBackend
  /** Decides about the items of an archive that is not trusted. */
  readonly gate: ReviewGate
  readonly clock: Clock
  readonly createId: () => string
  readonly actor: HostActor
  /** Options of the two memory stores. */
  readonly memory: Omit<MemoryStoreOptions, 'storage' | 'clock' | 'onFailure' | 'onWrite'>
  readonly onFailure: (error: HermesError, operation: string) => void
  /** Called with each memory write of an import. Not called in a dry run. */
  readonly onMemoryWrite: (write: MemoryWrite) => void
}

/** Fails with the errors of `openExport`, and if the storage fails; `details.report` then holds the `ImportReport` so far. */
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
  const opening = {
    storage,
    clock,
    contents: new Map([...opened.value.contents].sort(([a], [b]) => byCodeUnit(a, b))),
    trusted,
    tally,
    actor,
    record,
    createMemoryStore: (over, onWrite = async () => {}) =>
      // With `hold`, an import never evicts an existing entry.
      new MemoryStore({
        ...memory,
        whenFull: 'hold',
        storage: over,
        clock,
        onFailure: (error) => onFailure(error, 'memory'),
        onWrite,
        log: async () => ok(openMemoryLog({ clock, createId }, actor, IMPORTED)),
      }),
    onMemoryWrite: dryRun ? () => {} : deps.onMemoryWrite,
  } satisfies Omit<ImportContext, 'outside'>
  const done = await importHome(opening, deps.gate)
  return done.ok ? ok(tally.report()) : done
}
