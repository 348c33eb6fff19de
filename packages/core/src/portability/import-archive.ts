/**
 * Merges an export into a home, in one update; not offered to the agent as a tool. It never overwrites or removes: new items pass the checks of the stores, and
 * refused items are reported. The rules work on a transaction, which a dry run never writes.
 */
import { findRecords } from '../journal/find-records.ts'
import { createJournal } from '../journal/journal.ts'
import { listJournalDays } from '../journal/journal-days.ts'
import { HermesError } from '../shared/hermes-error.ts'
import { err, ok, type Result } from '../shared/result.ts'
import { byCodeUnit } from '../storage/document-tree.ts'
import { inTransaction, type LastPlan } from '../storage/in-transaction.ts'
import { orError } from '../storage/one-document.ts'
import type { StorageBackend } from '../storage/storage-backend.ts'
import { JOURNAL_FOLDER } from '../storage/storage-paths.ts'
import { Transaction } from '../storage/transaction.ts'
import { writeStoredRecord } from '../usage/stored-record.ts'
import { decodeSidecar, encodeSidecar, USAGE_PATH } from '../usage/usage-sidecar.ts'
import { partOf } from './export-manifest.ts'
import { endsImport, Import, type ImportingHome, invalidImport, type KnownRecords, must } from './import-context.ts'
import { importJournal } from './import-journal.ts'
import { importMemory, importMemoryArchive } from './import-memory.ts'
import { importPending } from './import-pending.ts'
import type { ImportOptions, ImportReport } from './import-report.ts'
import { importSkills } from './import-skills.ts'
import { openExport } from './open-export.ts'
import { importPythonLedger } from './python-ledger-files.ts'

/** The claims of a journal that is not trusted cannot be checked. */
const leaveOutJournal = ({ contents, tally }: Import): void => {
  if ([...contents.keys()].some((path) => partOf(path) === 'journal'))
    tally.refused('journal', JOURNAL_FOLDER, invalidImport('The archive is not trusted, so no records of its journal were imported.'))
}

/** Memory first: each of its entries is an update of the transaction, which takes the longer the more is in it. */
const run = async (running: Import): Promise<void> => {
  const { over, held, lines, trusted, home } = running
  for (const step of [importMemory, importMemoryArchive, importSkills, importPending]) await step(running)
  if (trusted) {
    await importJournal(running)
    await importPythonLedger(running)
  } else leaveOutJournal(running)
  const paths = Object.keys(held)
  if (paths.length > 0) must(await over.update(paths, () => ({ put: held, value: undefined })))
  if (lines.length > 0) must(await createJournal({ storage: over, clock: home.clock, createId: home.createId }).append(lines))
}

/** Not read in the transaction of the import: a line that is appended meanwhile changes nothing here, except the decision about what waits, which is noticed there. */
const readKnown = async (storage: StorageBackend): Promise<KnownRecords> => {
  const ids = new Set<string>()
  const decided = new Set<string>()
  const read = await findRecords(storage, must(await listJournalDays(storage)), {
    limit: Number.POSITIVE_INFINITY,
    mayMatch: () => true,
    matches: ({ id, pendingId, kind }) => {
      ids.add(id)
      if (pendingId !== undefined && (kind === 'applied' || kind === 'rejected')) decided.add(pendingId)
      return false
    },
    onProblem: () => {},
  })
  must(read)
  return { ids, decided }
}

/** A storage that fails, or takes too long, may still have written the one update. */
const stopped = (error: HermesError): HermesError => {
  const { code, message, details, cause } = error
  const told =
    endsImport(error) && code !== 'locked'
      ? `The import did not finish: ${message} Import the archive again; nothing is imported twice.`
      : `Nothing was imported: ${message}`
  return new HermesError(code, told, { details, cause })
}

/** Adds the usage records of what was imported to the counts as they are at that moment. */
const withUsage = ({ usage }: Import): LastPlan<undefined> => ({
  paths: usage.size > 0 ? [USAGE_PATH] : [],
  plan: (cut) => {
    const sidecar = usage.size > 0 ? decodeSidecar(cut.document(USAGE_PATH)) : undefined
    if (!sidecar?.ok) return { value: undefined }
    const added = [...usage]
      .filter(([name]) => !sidecar.value.has(name))
      .map(([name, record]) => [name, writeStoredRecord(undefined, record)] as const)
    if (added.length === 0) return { value: undefined }
    return { put: { [USAGE_PATH]: encodeSidecar(new Map([...sidecar.value, ...added])) }, value: undefined }
  },
})

/** Fails with the errors of `openExport`, and if the storage or the gate fails. An import is written whole or not at all. */
export const importArchive = async (
  home: ImportingHome,
  archive: Uint8Array,
  { dryRun = false, trusted = true }: ImportOptions = {},
): Promise<Result<ImportReport>> => {
  const opened = await openExport(archive)
  if (!opened.ok) return opened
  const contents = new Map([...opened.value.contents].sort(([a], [b]) => byCodeUnit(a, b)))
  const verdicts: Import['verdicts'] = new Map()
  const work = (over: StorageBackend): Promise<Result<Import>> =>
    orError(async () => {
      // Listed first: a proposal that is decided behind this line makes the import start anew.
      const waiting = new Set(must(await over.list('pending')).map(({ path }) => path))
      const known = await readKnown(home.storage)
      const running = new Import({ home, over, contents, known, waiting, trusted, verdicts })
      await run(running)
      return ok(running)
    })
  const done = dryRun ? await work(new Transaction(home.storage)) : await inTransaction(home.storage, work, withUsage)
  if (!done.ok) return err(stopped(done.error))
  if (!dryRun) for (const write of done.value.writes) home.memory.tell(write, { actor: home.actor })
  return ok(done.value.tally.report(dryRun))
}
