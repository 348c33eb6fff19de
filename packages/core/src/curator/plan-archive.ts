/** Plans the move of skills to the archive, each with its manifest, in the names that one listing of the library leaves free. Pure. */
import { HermesError } from '../shared/hermes-error.ts'
import { err, ok, type Result } from '../shared/result.ts'
import type { ArchivedSkill } from '../skills/archive.ts'
import {
  ARCHIVE_FOLDER,
  type ArchiveManifest,
  archiveNames,
  manifestPath,
  manifestSchema,
  toArchived,
  viewArchive,
} from '../skills/archive.ts'
import { SKILLS_FOLDER } from '../skills/skill-discovery.ts'
import type { SkillListEntry } from '../skills/skill-index.ts'
import { jsonBytes } from '../storage/json-document.ts'
import type { DocumentInfo } from '../storage/storage-backend.ts'

const MAX_NAMES_TRIED = 1_000

/** A skill as listed, and why it is archived. */
export interface SkillToArchive {
  readonly skill: Pick<SkillListEntry, 'name' | 'description' | 'path' | 'folderName' | 'category'>
  readonly reason: string
  readonly at: number
  /** The name of the skill that holds the content from now on. */
  readonly absorbedInto?: string | undefined
  /** It is archived for its age alone. */
  readonly unused?: true
}

export interface PlannedArchive {
  readonly archived: ArchivedSkill
  readonly move: readonly [from: string, to: string]
  /** The manifest. */
  readonly put: Readonly<Record<string, Uint8Array>>
}

export class ArchivePlanner {
  readonly #view: ReturnType<typeof viewArchive>

  /** `reserved`: names of entries that are about to be restored. */
  constructor(documents: readonly DocumentInfo[], reserved: Iterable<string> = []) {
    this.#view = viewArchive(documents)
    for (const entry of reserved) this.#view.take(entry)
  }

  /** The first of the names that is free; it is taken then. Throws `occupied` if a thousand are taken. */
  takeName(names: Iterable<string>): string {
    let tried = 0
    for (const name of names) {
      if (++tried > MAX_NAMES_TRIED) break
      if (this.#view.isTaken(name)) continue
      this.#view.take(name)
      return name
    }
    const message = `The archive has no free name left. Move old entries out of '${ARCHIVE_FOLDER}'.`
    throw new HermesError('occupied', message, { details: { path: ARCHIVE_FOLDER } })
  }

  /** `invalid` for a skill that holds other skills, since they would be moved too. Whoever moves those first does not `refuseNested`. */
  plan({ skill, reason, at, absorbedInto, unused }: SkillToArchive, refuseNested = true): Result<PlannedArchive> {
    const { name, description, path, folderName, category } = skill
    const nested = refuseNested ? this.#view.refuseNested(path) : undefined
    if (nested) return err(nested)
    const entry = this.takeName(archiveNames(folderName, at))
    const manifest: ArchiveManifest = {
      version: 1,
      name,
      from: path,
      category: category ?? null,
      description,
      reason: reason.trim(),
      archivedAt: at,
      absorbedInto: absorbedInto ?? null,
      ...(unused ? { unused } : {}),
    }
    return ok({
      archived: toArchived(entry, manifest),
      move: [`${SKILLS_FOLDER}/${path}`, `${ARCHIVE_FOLDER}/${entry}`],
      put: { [manifestPath(entry)]: jsonBytes(manifestPath(entry), manifest, manifestSchema) },
    })
  }
}
