/** The files of a held skill that came from an archive: written after its SKILL.md, so an approval that was interrupted is repeated. */

import type { HeldSkillFile, PendingSkillProposal } from '../../journal/pending-proposal.ts'
import { fromBase64 } from '../../shared/base64.ts'
import { HermesError } from '../../shared/hermes-error.ts'
import { err, ok, type Result } from '../../shared/result.ts'
import { SKILL_FILE, type SkillFolder, toDocumentPath } from '../../skills/skill-discovery.ts'
import type { SkillOpOutcome } from '../../skills/skill-op.ts'
import { UNCHANGED, updateDocument } from '../../storage/one-document.ts'
import type { StorageBackend } from '../../storage/storage-backend.ts'
import { checkStoragePath } from '../../storage/storage-paths.ts'
import type { SkillDisposeDeps } from './dispose-deps.ts'

/** The outcome of an interrupted approval that has written the SKILL.md; undefined if there is none. */
export const findBegun = async ({ ops, files }: PendingSkillProposal, { store }: SkillDisposeDeps): Promise<SkillOpOutcome | undefined> => {
  const [op] = ops
  if (files === undefined || op?.action !== 'create') return undefined
  const seen = await store.view(op.name)
  if (!seen.ok || seen.value.content !== op.content) return undefined
  const { name, path } = seen.value
  return { target: 'skill', action: 'create', name, path, filePath: SKILL_FILE, message: `Completed the files of the skill '${name}'.` }
}

const placeOf = (folder: Pick<SkillFolder, 'path'>, inside: string): Result<string> =>
  inside.split('/').some((segment) => segment.toLowerCase() === SKILL_FILE.toLowerCase())
    ? err(new HermesError('invalid_path', `'${inside.slice(0, 80)}' cannot be a file of a skill.`))
    : checkStoragePath(toDocumentPath(folder, inside))

/** `invalid_path` if a file does not belong into the folder of a skill. */
export const checkHeldFiles = (files: readonly HeldSkillFile[], folder: Pick<SkillFolder, 'path'>): Result<void> => {
  const wrong = files.map(({ path }) => placeOf(folder, path)).find((place) => !place.ok)
  return wrong && !wrong.ok ? wrong : ok(undefined)
}

/** A file that exists stays as it is. */
export const writeHeldFiles = async (
  files: readonly HeldSkillFile[],
  folder: Pick<SkillFolder, 'path'>,
  storage: StorageBackend,
): Promise<Result<void>> => {
  for (const { path: inside, text = '', base64, executable = false } of files) {
    const bytes = base64 === undefined ? new TextEncoder().encode(text) : fromBase64(base64)
    const written = await updateDocument(storage, toDocumentPath(folder, inside), (current) =>
      current ? UNCHANGED : { bytes, executable },
    )
    if (!written.ok) return written
  }
  return ok(undefined)
}
