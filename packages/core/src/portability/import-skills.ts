/** Adds the new skills of an export, live and archived, with their usage records. A skill of this home stays as it is; if it differs, that of the export is refused. */
import { toSkillRecord } from '../journal/host-writes.ts'
import type { HeldSkillFile } from '../journal/pending-proposal.ts'
import type { SkillProposal } from '../proposal/review-proposal.ts'
import { toBase64 } from '../shared/base64.ts'
import { DOCUMENT_LIMITS, parseBoundedJson } from '../shared/bounded-json.ts'
import { HermesError } from '../shared/hermes-error.ts'
import { err, ok, type Result } from '../shared/result.ts'
import { type ArchiveManifest, listArchive, manifestPath, manifestSchema } from '../skills/archive.ts'
import { decodeSkillText } from '../skills/read-skill.ts'
import { SKILLS_FOLDER, toDocumentPath } from '../skills/skill-discovery.ts'
import { SkillIndex } from '../skills/skill-index.ts'
import { SkillStore } from '../skills/skill-store.ts'
import { jsonBytes } from '../storage/json-document.ts'
import { orError, readDocument } from '../storage/one-document.ts'
import type { DocumentContent } from '../storage/storage-backend.ts'
import { isTime, partOf } from './export-manifest.ts'
import { type CheckedSkill, checkExportedSkill, type ExportedSkill, entryOf, skillFilesOf, toExportedSkills } from './exported-skill.ts'
import { admit, toProposal } from './held-items.ts'
import { endsImport, IMPORTED, type Import, invalidImport } from './import-context.ts'
import { foldName, ImportedLibrary } from './imported-library.ts'

type SkillPart = 'skills' | 'archivedSkills'

/** `counted`: it was held, refused or known, and is counted. */
type Placed = 'added' | 'alreadyThere' | 'counted'

/** Bytes of all files that may wait in one document. */
const MAX_HELD_BYTES = 2_097_152

const WAS_ARCHIVED = 'It is archived in the home that it comes from.'

const occupied = (message: string): HermesError => new HermesError('occupied', message)

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

/** A skill of an archive that is not trusted is judged with all its files, and waits with them as one proposal. See `HeldItems.admit`. */
const admitSkill = async (
  running: Import,
  store: SkillStore,
  part: SkillPart,
  skill: CheckedSkill,
  category: string | undefined,
): Promise<Result<boolean>> => {
  if (running.trusted) return ok(true)
  const { name } = skill.document
  const op = { action: 'create', name, ...(category === undefined ? {} : { category }), content: skill.text } as const
  const beside = filesBeside(skill)
  const bytes = [...skill.contents.values()].reduce((sum, content) => sum + content.bytes.length, 0)
  const tooMany = `Its files have ${bytes} bytes, but at most ${MAX_HELD_BYTES} can wait for approval. Look at the archive, then import it as trusted or install the skill.`
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
    ...(part === 'archivedSkills' ? { note: WAS_ARCHIVED } : {}),
    whyNotHeld: async () => {
      const planned = await store.plan(op)
      if (!planned.ok) return planned.error
      return bytes > MAX_HELD_BYTES ? new HermesError('over_limit', tooMany) : undefined
    },
  })
}

/** What an archived skill has beside it. */
const readNote = async (running: Import, entry: string): Promise<Result<ArchiveManifest | undefined>> => {
  const bytes = running.contents.get(manifestPath(entry))?.bytes
  if (!bytes) return ok(undefined)
  const data = parseBoundedJson(bytes, DOCUMENT_LIMITS)
  const note = data.ok ? manifestSchema.safeParse(data.value) : undefined
  if (!note?.success || !isTime(note.data.archivedAt))
    return err(invalidImport(`'${manifestPath(entry)}' is not the manifest of an archived skill.`))
  const { version, name, from, category, description, reason, archivedAt, absorbedInto } = note.data
  const text = [name, from, category, description, reason, absorbedInto].join('\n')
  const problem = (await running.findCredential(text)) ?? (await running.findThreat(text, 'context'))
  return problem ? err(problem) : ok({ version, name, from, category, description, reason, archivedAt, absorbedInto })
}

const refuseStrays = ({ contents, tally }: Import): void => {
  const paths = [...contents.keys()]
  const wanted = new Set(skillFilesOf(paths))
  for (const path of paths) {
    const part = partOf(path)
    if ((part === 'skills' || part === 'archivedSkills') && !wanted.has(path))
      tally.refused(part, path, invalidImport('It does not belong to a skill.'))
  }
}

export const importSkills = async (running: Import): Promise<Result<void>> => {
  const { over, tally, contents, home } = running
  const { live, archived } = toExportedSkills([...contents.keys()])
  refuseStrays(running)
  const index = new SkillIndex(over)
  const survey = await index.survey()
  if (!survey.ok) return survey
  const listed = await listArchive(over, index, survey.value.documents)
  const opened = await ImportedLibrary.open(running, survey.value, live)
  if (!opened.ok) return opened
  const library = opened.value
  const store = new SkillStore({ storage: over, clock: home.clock })
  const together = new Set(live.map(({ folder }) => folder.path))
  const away = new Map(listed.entries.map(({ name, id }) => [foldName(name), id]))

  const placeLive = async (skill: CheckedSkill): Promise<Result<Placed>> => {
    const { name } = skill.document
    const there = await library.has(skill)
    if (!there.ok || there.value) return there.ok ? ok('alreadyThere') : there
    const id = away.get(foldName(name))
    if (id !== undefined)
      return err(
        occupied(`'${name}' is archived in this home as '${id}' and was left there. Restore or rename that skill, then import again.`),
      )
    const admitted = await admitSkill(running, store, 'skills', skill, skill.folder.category)
    if (!admitted.ok || !admitted.value) return admitted.ok ? ok('counted') : admitted
    const free = await library.checkPlace(skill, together)
    const added = free.ok ? library.add(skill) : free
    if (!added.ok) return added
    library.takeName(skill)
    const { category } = skill.folder
    const op = { action: 'create', name, ...(category === undefined ? {} : { category }), content: skill.text } as const
    running.lines.push({ ...toSkillRecord({ kind: 'changed', op, before: undefined }, home.actor), reason: IMPORTED })
    return ok('added')
  }

  const keepNote = async (path: string, note: ArchiveManifest | undefined): Promise<Result<void>> => {
    if (!note) return ok(undefined)
    const there = await readDocument(over, path)
    if (there.ok && !there.value) library.put(path, jsonBytes(path, note, manifestSchema))
    return there.ok ? ok(undefined) : there
  }

  const placeArchived = async (skill: CheckedSkill): Promise<Result<Placed>> => {
    const note = await readNote(running, entryOf(skill))
    if (!note.ok) return note
    const compared = await library.compare(skill, skill.folder.path)
    if (!compared.ok) return compared
    if (compared.value === 'other')
      return err(occupied(`'skills/${skill.folder.path}' is another skill in this home, which was left unchanged.`))
    if (compared.value !== 'same') {
      const admitted = await admitSkill(running, store, 'archivedSkills', skill, note.value?.category ?? undefined)
      if (!admitted.ok || !admitted.value) return admitted.ok ? ok('counted') : admitted
      const added = library.add(skill)
      if (!added.ok) return added
    }
    const noted = await keepNote(manifestPath(entryOf(skill)), note.value)
    if (!noted.ok) return noted
    return ok(compared.value === 'same' ? 'alreadyThere' : 'added')
  }

  const placeAll = async (
    part: SkillPart,
    exported: readonly ExportedSkill[],
    place: (skill: CheckedSkill) => Promise<Result<Placed>>,
  ): Promise<Result<void>> => {
    for (const skill of exported) {
      const checked = await checkExportedSkill(running, skill)
      const placed = checked.ok ? await orError(() => place(checked.value)) : checked
      if (!placed.ok && (endsImport(placed.error) || placed.error.code === 'gate')) return placed
      if (!placed.ok) tally.refused(part, `${SKILLS_FOLDER}/${skill.folder.path}`, placed.error)
      else if (placed.value !== 'counted') tally[placed.value](part)
    }
    return ok(undefined)
  }

  const placed = await placeAll('skills', live, placeLive)
  const both = placed.ok ? await placeAll('archivedSkills', archived, placeArchived) : placed
  return both.ok ? library.write() : both
}
