/**
 * Merges an export into a home. It never overwrites or removes: new items pass the checks of the stores, and refused items are reported. Each step can be
 * repeated, so running an interrupted import again finishes it.
 */
import { HermesError } from '../shared/hermes-error.ts'
import { err, ok, type Result } from '../shared/result.ts'
import { JOURNAL_FOLDER } from '../storage/storage-paths.ts'
import { USAGE_PATH } from '../usage/usage-sidecar.ts'
import { partOf } from './export-scope.ts'
import { skillFilesOf, toExportedSkills } from './exported-skill.ts'
import { importArchivedSkills } from './import-archived-skills.ts'
import { type ImportContext, invalidImport } from './import-context.ts'
import { importJournal, readKnownRecords } from './import-journal.ts'
import { importMemory } from './import-memory.ts'
import { importMemoryArchive } from './import-memory-archive.ts'
import { importPending } from './import-pending.ts'
import { importSkills } from './import-skills.ts'
import { type ExportedUsage, readExportedUsage } from './import-usage.ts'

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

/** Fails only if the storage fails; `details.report` then holds the `ImportReport` so far. */
export const importHome = async (context: ImportContext): Promise<Result<void>> => {
  const known = await readKnownRecords(context.storage)
  if (!known.ok) return err(stopped(known.error, context))
  const steps = [
    () => importMemory(context),
    () => importMemoryArchive(context),
    () => importAllSkills(context),
    () => importPending(context, known.value.decided),
    async () => (context.trusted ? importJournal(context, known.value) : ok(leaveOutJournal(context))),
  ]
  for (const step of steps) {
    const done = await step()
    if (!done.ok) return err(stopped(done.error, context))
  }
  return ok(undefined)
}
