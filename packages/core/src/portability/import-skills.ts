/** Adds the new skills of an export, live and archived, with their usage records. A skill of this home stays as it is; if it differs, that of the export is refused. */
import { toSkillRecord } from '../journal/host-writes.ts'
import type { HeldSkillFile } from '../journal/pending-proposal.ts'
import type { SkillProposal } from '../proposal/review-proposal.ts'
import { toBase64 } from '../shared/base64.ts'
import { DOCUMENT_LIMITS, parseBoundedJson } from '../shared/bounded-json.ts'
import { HermesError } from '../shared/hermes-error.ts'
import { type ArchiveManifest, manifestPath, manifestSchema } from '../skills/archive.ts'
import { decodeSkillText } from '../skills/read-skill.ts'
import { SKILLS_FOLDER, toDocumentPath } from '../skills/skill-discovery.ts'
import { SkillStore } from '../skills/skill-store.ts'
import { jsonBytes } from '../storage/json-document.ts'
import { readDocument } from '../storage/one-document.ts'
import type { DocumentContent } from '../storage/storage-backend.ts'
import { isTime, partOf } from './export-manifest.ts'
import { type CheckedSkill, checkExportedSkill, type ExportedSkill, entryOf, skillFilesOf, toExportedSkills } from './exported-skill.ts'
import { admit, toProposal } from './held-items.ts'
import { IMPORTED, type Import, invalidImport, must } from './import-context.ts'
import { ImportedLibrary } from './imported-library.ts'

type SkillPart = 'skills' | 'archivedSkills'

/** Bytes of all files that may wait in one document. */
const MAX_HELD_BYTES = 2_097_152

interface FileBeside {
  /** Inside the folder of the skill. */
  readonly path: string
  readonly text: string | undefined
  readonly content: DocumentContent
}

const filesBeside = ({ folder, contents }: CheckedSkill): readonly FileBeside[] =>
  [...contents]
    .filter(([path]) => path !== toDocumentPath(folder))
    .map(([path, content]) => ({
      path: path.slice(`${SKILLS_FOLDER}/${folder.path}/`.length),
      text: decodeSkillText(content.bytes),
      content,
    }))

const toHeldFile = ({ path, text, content: { bytes, executable = false } }: FileBeside): HeldSkillFile => ({
  path,
  ...(text === undefined ? { base64: toBase64(bytes) } : { text }),
  ...(executable ? { executable } : {}),
})

/** A skill of an archive that is not trusted is judged with all its files, and waits with them as one proposal. See `admit`. */
const admitSkill = async (running: Import, part: SkillPart, skill: CheckedSkill, category: string | undefined): Promise<boolean> => {
  const { name } = skill.document
  const op = { action: 'create', name, ...(category === undefined ? {} : { category }), content: skill.text } as const
  if (running.trusted) return true
  const beside = filesBeside(skill)
  const bytes = [...skill.contents.values()].reduce((sum, content) => sum + content.bytes.length, 0)
  return admit(running, {
    part,
    name: `${SKILLS_FOLDER}/${skill.folder.path}`,
    proposals: [{ target: 'skill', ...toProposal(op) }],
    files: bytes > MAX_HELD_BYTES ? [] : beside.map(toHeldFile),
    besides: beside.flatMap(({ path, text }): SkillProposal[] =>
      text === undefined
        ? []
        : [{ target: 'skill', ...toProposal({ action: 'write_file', name, filePath: path, content: text } as const) }],
    ),
    ...(part === 'archivedSkills' ? { note: 'It is archived in the home that it comes from.' } : {}),
    refuseToHold: async () => {
      must(await new SkillStore({ storage: running.over, clock: running.home.clock }).plan(op))
      const advice = 'Look at the archive, then import it as trusted or install the skill.'
      const message = `Its files have ${bytes} bytes, but at most ${MAX_HELD_BYTES} can wait for approval. ${advice}`
      if (bytes > MAX_HELD_BYTES) throw new HermesError('over_limit', message)
    },
  })
}

/** The manifest of an archived skill. */
const readNote = async (running: Import, path: string): Promise<ArchiveManifest | undefined> => {
  const bytes = running.contents.get(path)?.bytes
  if (!bytes) return undefined
  const data = parseBoundedJson(bytes, DOCUMENT_LIMITS)
  const note = data.ok ? manifestSchema.safeParse(data.value) : undefined
  if (!note?.success || !isTime(note.data.archivedAt)) throw invalidImport(`'${path}' is not the manifest of an archived skill.`)
  const { version, name, from, category, description, reason, archivedAt, absorbedInto } = note.data
  const text = [name, from, category, description, reason, absorbedInto].join('\n')
  await running.refuseCredential(text)
  await running.refuseThreat(text, 'context')
  return { version, name, from, category, description, reason, archivedAt, absorbedInto }
}

const importLive = async (running: Import, library: ImportedLibrary, skill: CheckedSkill): Promise<void> => {
  const { tally, home, lines } = running
  if (await library.has(skill)) return tally.alreadyThere('skills')
  const { category } = skill.folder
  if (!(await admitSkill(running, 'skills', skill, category))) return
  await library.checkPlace(skill)
  library.add(skill)
  library.takeName(skill)
  tally.added('skills')
  const op = { action: 'create', name: skill.document.name, ...(category === undefined ? {} : { category }), content: skill.text } as const
  lines.push({ ...toSkillRecord({ kind: 'changed', op, before: undefined }, home.actor), reason: IMPORTED })
}

const importArchived = async (running: Import, library: ImportedLibrary, skill: CheckedSkill): Promise<void> => {
  const path = manifestPath(entryOf(skill))
  const note = await readNote(running, path)
  const compared = await library.compare(skill, skill.folder.path)
  if (compared === 'other')
    throw new HermesError('occupied', `'skills/${skill.folder.path}' is another skill in this home, which was left unchanged.`)
  if (compared === 'nothing') {
    if (!(await admitSkill(running, 'archivedSkills', skill, note?.category ?? undefined))) return
    library.add(skill)
  }
  // A stranger's manifest is not believed: the gate has not judged its reason, and it could differ from the skill.
  const isNew = running.trusted && note !== undefined && !must(await readDocument(running.over, path))
  if (isNew) library.put(path, { bytes: jsonBytes(path, note, manifestSchema) })
  running.tally[compared === 'same' && !isNew ? 'alreadyThere' : 'added']('archivedSkills')
}

export const importSkills = async (running: Import): Promise<void> => {
  const { tally, contents, over } = running
  const paths = [...contents.keys()]
  const { live, archived } = toExportedSkills(paths)
  const wanted = new Set(skillFilesOf(paths))
  for (const path of paths) {
    const part = partOf(path)
    if ((part === 'skills' || part === 'archivedSkills') && !wanted.has(path))
      tally.refused(part, path, invalidImport('It does not belong to a skill.'))
  }
  const library = await ImportedLibrary.open(running, live)
  const importAll = async (part: SkillPart, skills: readonly ExportedSkill[], one: typeof importLive): Promise<void> => {
    for (const skill of skills)
      await running.item(part, `${SKILLS_FOLDER}/${skill.folder.path}`, async () =>
        one(running, library, await checkExportedSkill(running, skill)),
      )
  }
  await importAll('skills', live, importLive)
  await importAll('archivedSkills', archived, importArchived)
  const { added } = library
  if (Object.keys(added).length > 0) must(await over.update(Object.keys(added), () => ({ put: added, value: undefined })))
}
