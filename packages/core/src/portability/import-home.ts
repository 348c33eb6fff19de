/**
 * Merges an export into a home. It never overwrites and never removes: what is there stays, what is new is added through the checks of the stores, and everything
 * else is named. Each step can be repeated, so an import that was interrupted is finished by running it again.
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
      tally.refused(part, path, invalidImport('It belongs to no skill.'))
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

/** Who did what for which reason: of a stranger's home these are claims that nobody here can check. */
const leaveOutJournal = ({ contents, tally }: ImportContext): void => {
  if ([...contents.keys()].some((path) => partOf(path) === 'journal'))
    tally.refused('journal', JOURNAL_FOLDER, invalidImport('It is of a home that is not trusted, so none of its records were imported.'))
}

const stopped = ({ code, message, details }: HermesError, context: ImportContext): HermesError =>
  new HermesError(
    code,
    `The import stopped before its end: ${message} Import the archive again: what is there by now is not imported twice.`,
    {
      details: { ...details, report: context.tally.report() },
    },
  )

/** Fails only where the storage does, with what was done until then as `details.report`. */
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
