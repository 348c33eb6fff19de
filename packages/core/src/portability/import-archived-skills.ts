/** Adds the archived skills of an export to the skill archive, under the same names. */

import { DOCUMENT_LIMITS, parseBoundedJson } from '../shared/bounded-json.ts'
import { HermesError } from '../shared/hermes-error.ts'
import { err, ok, type Result } from '../shared/result.ts'
import { manifestPath, manifestSchema } from '../skills/archive.ts'
import { SKILLS_FOLDER } from '../skills/skill-discovery.ts'
import { updateJsonDocument } from '../storage/json-document.ts'
import { UNCHANGED } from '../storage/one-document.ts'
import { type ExportedSkill, entryOf } from './exported-skill.ts'
import { createScanner, endsImport, type ImportContext, type ImportScanner, invalidImport } from './import-context.ts'
import { bringUsage, type ExportedUsage } from './import-usage.ts'
import { admitSkill } from './judge-outside-skill.ts'
import { isTime } from './newest-record.ts'
import { type CheckedSkill, checkExportedSkill, compareSkill, documentsBelow, writeSkill } from './place-skill.ts'

const readNote = async ({ contents }: ImportContext, entry: string, scanner: ImportScanner) => {
  const bytes = contents.get(manifestPath(entry))?.bytes
  if (!bytes) return ok(undefined)
  const data = parseBoundedJson(bytes, DOCUMENT_LIMITS)
  const note = data.ok ? manifestSchema.safeParse(data.value) : undefined
  if (!note?.success || !isTime(note.data.archivedAt))
    return err(invalidImport(`'${manifestPath(entry)}' is not the manifest of an archived skill.`))
  const { version, name, from, category, description, reason, archivedAt, absorbedInto } = note.data
  const text = [name, from, category, description, reason, absorbedInto].join('\n')
  const problem = (await scanner.findCredential(text)) ?? (await scanner.findThreat(text, 'context'))
  return problem ? err(problem) : ok({ version, name, from, category, description, reason, archivedAt, absorbedInto })
}

export const importArchivedSkills = async (
  context: ImportContext,
  exported: readonly ExportedSkill[],
  usage: ExportedUsage,
): Promise<Result<void>> => {
  const { storage, tally, contents } = context
  const scanner = createScanner()

  const add = async (
    skill: CheckedSkill,
    category: string | undefined,
    keepNote: () => Promise<Result<unknown>>,
  ): Promise<Result<'added' | 'counted'>> => {
    const admitted = await admitSkill('archivedSkills', skill, category, context)
    if (!admitted.ok || !admitted.value) return admitted.ok ? ok('counted') : admitted
    const written = await writeSkill(storage, skill, async () => {
      const brought = await bringUsage(context, usage, skill.document.name)
      return brought.ok ? keepNote() : brought
    })
    return written.ok ? ok('added') : written
  }

  const importOne = async (skill: ExportedSkill): Promise<Result<'added' | 'alreadyThere' | 'counted'>> => {
    const checked = await checkExportedSkill(skill, contents, scanner)
    if (!checked.ok) return checked
    const note = await readNote(context, entryOf(skill), scanner)
    if (!note.ok) return note
    const keepNote = async (): Promise<Result<unknown>> =>
      note.value
        ? updateJsonDocument(storage, manifestPath(entryOf(skill)), manifestSchema, (current) => (current ? UNCHANGED : note.value))
        : ok(undefined)
    const listed = await storage.list(`${SKILLS_FOLDER}/${skill.folder.path}`)
    if (!listed.ok) return listed
    const compared = await compareSkill(storage, checked.value, documentsBelow(checked.value, listed.value, contents), skill.folder.path)
    if (!compared.ok) return compared
    if (compared.value === 'other')
      return err(new HermesError('occupied', `'skills/${skill.folder.path}' is another skill in this home, which was left unchanged.`))
    if (compared.value !== 'same') {
      const added = await add(checked.value, note.value?.category ?? undefined, keepNote)
      if (!added.ok || added.value === 'counted') return added
    }
    // Again: a manifest without a skill may have been cleaned up, or its writer was interrupted.
    const noted = await keepNote()
    return noted.ok ? ok(compared.value === 'same' ? 'alreadyThere' : 'added') : noted
  }

  for (const skill of exported) {
    const placed = await importOne(skill)
    if (placed.ok) {
      if (placed.value !== 'counted') tally[placed.value]('archivedSkills')
    } else if (endsImport(placed.error)) return placed
    else tally.refused('archivedSkills', `skills/${skill.folder.path}`, placed.error)
  }
  return ok(undefined)
}
